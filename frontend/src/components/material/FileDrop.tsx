import { Stack, Text } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { useState } from "react";
import { Note } from "@/components/Note";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import classes from "./FileDrop.module.css";
import { sizeOf, tooLarge, useUploadLimit } from "./uploadLimit";

interface Props {
  label: string;
  hint: string;
  multiple: boolean;
  loading?: boolean;
  onFiles: (files: File[]) => void;
}

/** Area to drop or choose files; the server checks their contents. */
export function FileDrop({ label, hint, multiple, loading = false, onFiles }: Props) {
  const limit = useUploadLimit();
  const [refusal, setRefusal] = useState<string | null>(null);
  const take = (files: File[]) => {
    const isTooLarge = sizeOf(files) > limit;
    setRefusal(isTooLarge ? tooLarge(files, limit) : null);
    if (!isTooLarge) onFiles(files);
  };
  return (
    <>
      <Dropzone
        onDrop={take}
        multiple={multiple}
        loading={loading}
        aria-label={label}
        className={classes.drop ?? ""}
        inputProps={{ "aria-label": label }}
      >
        <Stack gap={2} align="center" p="sm">
          <Text fw={550} ta="center">
            {label}
          </Text>
          <Quiet ta="center">
            <ServerText text={hint} />
          </Quiet>
        </Stack>
      </Dropzone>
      {refusal && (
        <Note tone="warn" role="alert">
          {refusal}
        </Note>
      )}
    </>
  );
}
