import { Button, Group, Progress, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useJob } from "@/api/jobs";
import { Problem } from "@/api/problem";
import { usePullModel } from "@/api/system";
import type { Job } from "@/api/types";
import { Form } from "@/components/Form";
import { bindText } from "@/components/fields";
import { showDone } from "@/components/notices";
import { formatBytes } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";

/** Have the model server download a model, with the bytes counted. */
export function PullModel() {
  const [name, setName] = useState("");
  const [wanted, setWanted] = useState("");
  const pull = usePullModel();
  const job = useJob({
    changes: ["models"],
    onDone: () => {
      showDone(t("Model {name} pulled", { name: wanted }));
      setName("");
    },
  });
  const submit = () => {
    setWanted(name.trim());
    void job.begin(pull.mutateAsync({ body: { name: name.trim() } }));
  };
  const problem = pull.error instanceof Problem ? pull.error : job.problem;
  const busy = pull.isPending || job.isBusy;
  return (
    <Stack gap="xs">
      <Form onSubmit={submit}>
        <Group align="flex-start" gap="xs">
          <TextInput
            label={t("Model name")}
            description={t("Name and tag in the Ollama registry. The model server downloads the model.")}
            placeholder="mistral:7b"
            {...bindText(name, setName)}
            error={problem?.fields.name}
            autoComplete="off"
            spellCheck={false}
          />
          <Button type="submit" variant="default" mt={25} disabled={name.trim() === ""} loading={busy}>
            {t("Pull model")}
          </Button>
        </Group>
      </Form>
      {job.running && <Bytes name={wanted} job={job.running} />}
      {problem && !problem.fields.name && <ProblemNotice error={problem} title={t("Model not pulled")} />}
    </Stack>
  );
}

function Bytes({ name, job: { done, total, message } }: { name: string; job: Job }) {
  const text =
    total > 0
      ? t("{name}: {done} of {total}", { name, done: formatBytes(done), total: formatBytes(total) })
      : t("{name}: contacting the registry", { name });
  return (
    <Stack gap={4}>
      <Quiet title={message}>{text}</Quiet>
      <Progress value={total > 0 ? (100 * done) / total : 100} animated={total === 0} aria-label={text} />
    </Stack>
  );
}
