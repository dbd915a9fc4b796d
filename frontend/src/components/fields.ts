/** Properties that join a field of a form to the state it shows: its value, and what is called when a person changes it. */

type Changed<Field> = { currentTarget: Field };

export function bindText(value: string, onChange: (value: string) => void) {
  return {
    value,
    onChange: ({ currentTarget }: Changed<{ value: string }>) => onChange(currentTarget.value),
  };
}

export function bindTick(checked: boolean, onChange: (checked: boolean) => void) {
  return {
    checked,
    onChange: ({ currentTarget }: Changed<{ checked: boolean }>) => onChange(currentTarget.checked),
  };
}

/** Of a list from which one thing is chosen; no choice takes it back, so that null comes only before the first. */
export function bindChoice<Value extends string | null>(
  value: Value,
  onChange: (value: NonNullable<Value>) => void,
) {
  return {
    value,
    allowDeselect: false,
    onChange: (chosen: string | null) => {
      if (chosen !== null) onChange(chosen as NonNullable<Value>);
    },
  };
}

/** Of a field of whole numbers, which holds a text while it holds no number. */
export function bindWhole(value: number | string, onChange: (value: number | string) => void) {
  return { value, allowDecimal: false, onChange };
}

/** The number in a field; null while the field is empty or holds something else. */
export function typedNumber(value: number | string): number | null {
  return typeof value === "number" ? value : null;
}
