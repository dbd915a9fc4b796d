import { PasswordInput } from "@mantine/core";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  w?: number;
}

/** A field for a new password, which browsers may suggest. */
export function NewPassword({ onChange, ...field }: Props) {
  return (
    <PasswordInput
      {...field}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="new-password"
    />
  );
}

/** Whether the server accepts a password of this length. */
export function isLongEnough(password: string): boolean {
  return password.length >= 12;
}
