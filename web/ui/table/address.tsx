/** An email address in a cell: one line, truncated when too long. */
export function Address({ text }: { text: string }) {
  return (
    <span title={text} className="wrap-anywhere sm:inline-block sm:max-w-60 sm:truncate sm:align-bottom">
      {text}
    </span>
  )
}
