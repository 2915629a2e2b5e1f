/** An e-mail address in a cell: on one line, cut where it is too long for a table. */
export function Address({ text }: { text: string }) {
  return (
    <span title={text} className="wrap-anywhere sm:inline-block sm:max-w-60 sm:truncate sm:align-bottom">
      {text}
    </span>
  )
}
