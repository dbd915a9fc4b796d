interface Named {
  id: string;
  name: string;
}

/** Options by name; the id is shown only for names that are not unique. */
export function choicesOf(items: readonly Named[]): { value: string; label: string }[] {
  return items.map(({ id, name }) => {
    const isShared = items.some((other) => other.name === name && other.id !== id);
    return { value: id, label: isShared ? `${name} (${id})` : name };
  });
}
