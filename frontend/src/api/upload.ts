/** Multipart bodies: openapi-fetch is given the plain fields and this serializer. */
export function formData(fields: Record<string, unknown>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) for (const part of value) data.append(name, part);
    else if (value instanceof File) data.append(name, value);
    else if (value !== undefined && value !== null) data.append(name, String(value));
  }
  return data;
}

/** The server's type for a file in a form is text; what is sent is the file. */
export function asPart(file: File): string {
  return file as unknown as string;
}
