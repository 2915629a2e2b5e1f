/** Hands bytes over as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has to have begun reading it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
