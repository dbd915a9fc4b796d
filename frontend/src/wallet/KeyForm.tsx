import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Form } from "@/components/Form";
import { bindText } from "@/components/fields";
import { t } from "@/words";
import type { AccountKey } from "./types";
import classes from "./wallet.module.css";

const NAME = /^[a-z1-5.]{1,12}$/;
const KEY = /^(PVT_K1_[1-9A-HJ-NP-Za-km-z]+|5[1-9A-HJ-NP-Za-km-z]{50})$/;

/** Takes an account and its key; rejects what is no key. */
export type WithKey = (given: AccountKey) => Promise<void>;

/** For a chain on this machine; there is no place for a key before somebody asks for it. */
export function KeyForm({ withKey }: { withKey: WithKey }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("Test blockchain: sign with a key")}</summary>
      {isOpen && <Fields withKey={withKey} />}
    </details>
  );
}

/** An account and its key, forgotten here as soon as they are taken. */
function Fields({ withKey }: { withKey: WithKey }) {
  const [account, setAccount] = useState("");
  const [permission, setPermission] = useState("active");
  const [key, setKey] = useState("");
  const [broken, setBroken] = useState<{ account?: string; permission?: string; key?: string }>({});
  const submit = async () => {
    const found = {
      ...(NAME.test(account)
        ? {}
        : { account: t("An account name has up to 12 characters: a-z, 1-5 and the dot.") }),
      ...(NAME.test(permission)
        ? {}
        : { permission: t("An account name has up to 12 characters: a-z, 1-5 and the dot.") }),
      ...(KEY.test(key.trim())
        ? {}
        : {
            key: t(
              "This is not a private key. A key begins with PVT_K1_, or has 51 characters and begins with 5.",
            ),
          }),
    };
    setBroken(found);
    if (Object.keys(found).length > 0) return;
    setKey("");
    // A checksum that does not hold is found by the library alone.
    await withKey({ account, permission, key: key.trim() }).catch(() =>
      setBroken({
        key: t(
          "This is not a private key. A key begins with PVT_K1_, or has 51 characters and begins with 5.",
        ),
      }),
    );
  };
  return (
    <Form aria-label={t("Test blockchain: sign with a key")} onSubmit={submit} autoComplete="off">
      <Stack gap="xs" mt="xs" maw="32rem">
        <Text size="sm">
          {t(
            "This blockchain runs on this machine, so its keys have no value elsewhere. Never enter a key of another blockchain into a page.",
          )}
        </Text>
        <TextInput
          label={t("Account")}
          {...bindText(account, setAccount)}
          error={broken.account}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label={t("Permission")}
          {...bindText(permission, setPermission)}
          error={broken.permission}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          type="password"
          label={t("Private key of the test account")}
          description={t(
            "The key stays in the memory of this page until it is reloaded. It is never sent to the server.",
          )}
          {...bindText(key, setKey)}
          error={broken.key}
          autoComplete="off"
          spellCheck={false}
        />
        <div>
          <Button type="submit" variant="default">
            {t("Sign in with key")}
          </Button>
        </div>
      </Stack>
    </Form>
  );
}
