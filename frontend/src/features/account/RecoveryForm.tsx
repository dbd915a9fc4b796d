import { Button, Container, Stack, Title } from "@mantine/core";
import { useState } from "react";
import { useRecover } from "@/api/accounts";
import { Form } from "@/components/Form";
import { showDone } from "@/components/notices";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";
import { isLongEnough, NewPassword } from "./NewPassword";

/** Choosing a new password by a recovery link. */
export function RecoveryForm({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [password, setPassword] = useState("");
  const recover = useRecover();
  const submit = async () => {
    const failed = await recover.mutateAsync({ body: { secret, password } }).then(
      () => false,
      () => true,
    );
    if (failed) return;
    showDone(t("Password changed. Sign in with the new one."));
    onDone();
  };
  return (
    <Container component="main" size={380} pt={96}>
      <Form onSubmit={submit}>
        <Stack>
          <Title order={1}>{t("Choose a new password")}</Title>
          <NewPassword
            label={t("New password, 12 characters or more")}
            value={password}
            onChange={setPassword}
          />
          <ProblemNotice error={recover.error} title={t("Password not changed")} />
          <Button type="submit" loading={recover.isPending} disabled={!isLongEnough(password)}>
            {t("Change password")}
          </Button>
          <Button variant="subtle" onClick={onDone}>
            {t("Sign in")}
          </Button>
        </Stack>
      </Form>
    </Container>
  );
}
