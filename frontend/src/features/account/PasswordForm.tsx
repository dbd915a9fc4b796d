import { PasswordInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChangePassword } from "@/api/accounts";
import { RowForm } from "@/components/Form";
import { bindText } from "@/components/fields";
import { showDone } from "@/components/notices";
import { t } from "@/words";
import { isLongEnough, NewPassword } from "./NewPassword";

/** Changing one's own password, which ends all sessions. */
export function PasswordForm() {
  const cache = useQueryClient();
  const [old, setOld] = useState("");
  const [next, setNext] = useState("");
  const change = useChangePassword();
  const submit = async () => {
    const failed = await change.mutateAsync({ body: { old, new: next } }).then(
      () => false,
      () => true,
    );
    if (failed) return;
    showDone(t("Password changed. Sign in with the new one."));
    await cache.resetQueries();
  };
  return (
    <RowForm
      onSubmit={submit}
      send={t("Change password")}
      isBusy={change.isPending}
      isReady={old !== "" && isLongEnough(next)}
      error={change.error}
      problem={t("Password not changed")}
    >
      <PasswordInput
        label={t("Current password")}
        {...bindText(old, setOld)}
        autoComplete="current-password"
        w={240}
      />
      <NewPassword label={t("New password, 12 characters or more")} value={next} onChange={setNext} w={280} />
    </RowForm>
  );
}
