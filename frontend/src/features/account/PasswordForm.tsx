import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useChangePassword } from "@/api/accounts";
import { bindText } from "@/components/fields";
import { showDone } from "@/components/notices";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";
import { isLongEnough, NewPassword } from "./NewPassword";

/** Changing one's own password, which ends all sessions. */
export function PasswordForm() {
  const cache = useQueryClient();
  const [old, setOld] = useState("");
  const [next, setNext] = useState("");
  const change = useChangePassword();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const failed = await change.mutateAsync({ body: { old, new: next } }).then(
      () => false,
      () => true,
    );
    if (failed) return;
    showDone(t("Password changed. Sign in with the new one."));
    await cache.resetQueries();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group align="flex-end">
          <PasswordInput
            label={t("Current password")}
            {...bindText(old, setOld)}
            autoComplete="current-password"
            w={240}
          />
          <NewPassword
            label={t("New password, 12 characters or more")}
            value={next}
            onChange={setNext}
            w={280}
          />
          <Button
            type="submit"
            variant="default"
            loading={change.isPending}
            disabled={!old || !isLongEnough(next)}
          >
            {t("Change password")}
          </Button>
        </Group>
        <ProblemNotice error={change.error} title={t("Password not changed")} />
      </Stack>
    </form>
  );
}
