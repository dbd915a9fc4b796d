import { Stack, Text } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import classes from "./FileDrop.module.css";

interface Props {
  label: string;
  hint: string;
  multiple: boolean;
  loading?: boolean;
  onFiles: (files: File[]) => void;
}

/** Where files are dropped or chosen; what may be in them is the server's to say. */
export function FileDrop({ label, hint, multiple, loading = false, onFiles }: Props) {
  return (
    <Dropzone
      onDrop={onFiles}
      multiple={multiple}
      loading={loading}
      aria-label={label}
      className={classes.drop ?? ""}
      inputProps={{ "aria-label": label }}
    >
      <Stack gap={2} align="center" py="sm">
        <Text fw={550} ta="center">
          {label}
        </Text>
        <Text size="sm" c="var(--quiet)" ta="center">
          {hint}
        </Text>
      </Stack>
    </Dropzone>
  );
}
