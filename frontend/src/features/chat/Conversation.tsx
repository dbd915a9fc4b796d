import { Button, Group, List, Text, UnstyledButton } from "@mantine/core";
import type { AnsweredQuestion } from "@/api/types";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";

interface Props {
  asked: AnsweredQuestion[];
  /** Place of the one that is shown in full. */
  shown: number;
  onShow: (place: number) => void;
  onClear: () => void;
}

/** What was asked in this tab, the newest last; it can be looked at again, saved and cleared. */
export function Conversation({ asked, shown, onShow, onClear }: Props) {
  if (asked.length < 1) return null;
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(asked, null, 1)], { type: "application/json" }));
    link.download = "conversation.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Panel
      title={t("Conversation")}
      beside={
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={save}>
            {t("Save conversation")}
          </Button>
          <Button size="xs" variant="default" onClick={onClear}>
            {t("Clear conversation")}
          </Button>
        </Group>
      }
    >
      <List type="ordered" size="sm" spacing="xs">
        {asked.map(({ asked: { question, model }, answer }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same question may be asked twice, and none is moved
          <List.Item key={place}>
            <UnstyledButton onClick={() => onShow(place)} aria-current={place === shown ? "true" : undefined}>
              <Text size="sm" fw={place === shown ? 600 : 400}>
                {question}
              </Text>
            </UnstyledButton>
            <Quiet lineClamp={2}>
              {model.name}: {answer.text}
            </Quiet>
          </List.Item>
        ))}
      </List>
    </Panel>
  );
}
