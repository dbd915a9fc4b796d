import { Select, type SelectProps } from "@mantine/core";
import { ROLES, roleName } from "@/words/roles";

interface Props extends Omit<SelectProps, "data"> {
  /** Offered roles, in ascending order. */
  roles?: typeof ROLES;
}

/** A choice of roles: their names in the field, and in its list what each may do. */
export function RoleSelect({ roles = ROLES, ...select }: Props) {
  return (
    <Select
      w={190}
      {...select}
      data={roles.map(({ value }) => ({ value, label: roleName(value) }))}
      renderOption={({ option }) => roles.find(({ value }) => value === option.value)?.label}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
    />
  );
}
