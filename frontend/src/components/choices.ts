interface Named {
  id: string;
  name: string;
}

/** What can be chosen, by name; the id stands only beside names that several have. */
export function choicesOf(items: readonly Named[]): { value: string; label: string }[] {
  return items.map(({ id, name }) => {
    const isShared = items.some((other) => other.name === name && other.id !== id);
    return { value: id, label: isShared ? `${name} (${id})` : name };
  });
}
