import { PasswordInput } from "@mantine/core";
import { bindText } from "@/components/fields";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  w?: number;
}

/** A field for a new password, which browsers may suggest. */
export function NewPassword({ value, onChange, ...field }: Props) {
  return <PasswordInput {...field} {...bindText(value, onChange)} autoComplete="new-password" />;
}

/** Whether the server accepts a password of this length. */
export function isLongEnough(password: string): boolean {
  return password.length >= 12;
}
