import { CloseButton, Group, List, SegmentedControl, Stack, Textarea, TextInput } from "@mantine/core";
import type { Problem } from "@/api/problem";
import { bindText } from "@/components/fields";
import { t } from "@/words";
import { FileDrop } from "./FileDrop";
import type { Source } from "./ingest";

const SOURCES = { files: t("Files"), text: t("Pasted text"), address: t("Web address") };
const KINDS = ["files", "text", "address"] as const;

/** What is typed or dropped; all three are kept while one looks at another. */
export interface DocumentDraft {
  kind: Source["kind"];
  files: File[];
  title: string;
  text: string;
  url: string;
}

export const EMPTY_DRAFT: DocumentDraft = { kind: "files", files: [], title: "", text: "", url: "" };

/** What would be sent, or null while something is missing. */
export function sourceOf({ kind, files, title, text, url }: DocumentDraft): Source | null {
  switch (kind) {
    case "files":
      return files.length > 0 ? { kind, files } : null;
    case "text":
      return title !== "" && text !== "" ? { kind, title, text } : null;
    case "address":
      return url !== "" ? { kind, url } : null;
  }
}

interface Props {
  draft: DocumentDraft;
  onChange: (draft: DocumentDraft) => void;
  problem: Problem | null;
}

/** Documents from files, from pasted text or from a web address. */
export function DocumentSource({ draft, onChange, problem }: Props) {
  const set = (change: Partial<DocumentDraft>) => onChange({ ...draft, ...change });
  return (
    <Stack gap="sm">
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={t("Document source")}
          value={draft.kind}
          onChange={(kind) => set({ kind })}
          data={KINDS.map((value) => ({ value, label: SOURCES[value] }))}
        />
      </Group>
      {draft.kind === "files" && (
        <>
          <FileDrop
            multiple
            label={t("Drop documents here, or choose files")}
            hint={t("Text, Markdown, PDF, DOCX or HTML, up to 50 MB at a time.")}
            onFiles={(dropped) => set({ files: [...draft.files, ...dropped] })}
          />
          <FileList
            files={draft.files}
            onRemove={(file) => set({ files: draft.files.filter((other) => other !== file) })}
          />
        </>
      )}
      {draft.kind === "text" && (
        <>
          <TextInput
            label={t("Document name")}
            {...bindText(draft.title, (title) => set({ title }))}
            error={problem?.fields.title}
          />
          <Textarea
            label={t("Text")}
            rows={8}
            {...bindText(draft.text, (text) => set({ text }))}
            error={problem?.fields.text}
          />
        </>
      )}
      {draft.kind === "address" && (
        <TextInput
          type="url"
          label={t("Web address")}
          description={t("The server downloads the page once and stores its text.")}
          placeholder="https://"
          {...bindText(draft.url, (url) => set({ url }))}
          error={problem?.fields.url}
        />
      )}
    </Stack>
  );
}

function FileList({ files, onRemove }: { files: File[]; onRemove: (file: File) => void }) {
  if (files.length === 0) return null;
  return (
    <List size="sm" listStyleType="none">
      {files.map((file) => (
        <List.Item key={`${file.name} ${file.size} ${file.lastModified}`}>
          <Group gap="xs">
            {file.name}
            <CloseButton
              size="sm"
              aria-label={t("Remove {name}", { name: file.name })}
              onClick={() => onRemove(file)}
            />
          </Group>
        </List.Item>
      ))}
    </List>
  );
}
