import { Button, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { words } from "@/words";
import type { Wallet } from "./kit";
import { refresh } from "./open";
import classes from "./wallet.module.css";

const label = words.wallet;
const NAME = /^[a-z1-5.]{1,12}$/;
const KEY = /^(PVT_K1_[1-9A-HJ-NP-Za-km-z]+|5[1-9A-HJ-NP-Za-km-z]{50})$/;

/** For a chain on this machine; there is no place for a key before somebody asks for it. */
export function KeyForm({ wallet }: { wallet: Wallet }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label.key}</summary>
      {isOpen && <Fields wallet={wallet} />}
    </details>
  );
}

/** An account and its key, forgotten here as soon as they are taken. */
function Fields({ wallet }: { wallet: Wallet }) {
  const [account, setAccount] = useState("");
  const [permission, setPermission] = useState("active");
  const [key, setKey] = useState("");
  const [broken, setBroken] = useState<{ account?: string; permission?: string; key?: string }>({});
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = {
      ...(NAME.test(account) ? {} : { account: label.accountBroken }),
      ...(NAME.test(permission) ? {} : { permission: label.accountBroken }),
      ...(KEY.test(key.trim()) ? {} : { key: label.keyBroken }),
    };
    setBroken(found);
    if (Object.keys(found).length > 0) return;
    setKey("");
    // A checksum that does not hold is found by the library alone.
    const isTaken = await wallet.signInWithKey({ account, permission, key: key.trim() }).then(
      () => true,
      () => false,
    );
    if (isTaken) refresh();
    else setBroken({ key: label.keyBroken });
  };
  return (
    <form aria-label={label.key} onSubmit={submit} autoComplete="off">
      <Stack gap="xs" mt="xs" maw="32rem">
        <Text size="sm">{label.keyText}</Text>
        <TextInput
          label={label.keyAccount}
          value={account}
          error={broken.account}
          onChange={(event) => setAccount(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label={label.keyPermission}
          value={permission}
          error={broken.permission}
          onChange={(event) => setPermission(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          type="password"
          label={label.keyKey}
          description={label.keyHint}
          value={key}
          error={broken.key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <div>
          <Button type="submit" variant="default">
            {label.keyButton}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
