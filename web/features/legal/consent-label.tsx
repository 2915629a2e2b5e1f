import { paths } from '#web/lib/paths.ts'

/** What a person agrees to, with the text in a tab of its own: the page may hold words that are not sent yet. */
export function ConsentLabel({ kind }: { kind: string }) {
  const [before, name] =
    kind === 'offer' ? ['Принимаю условия', 'оферты'] : ['Даю', 'согласие на обработку персональных данных']
  return (
    <>
      {before}{' '}
      <a
        href={paths.legal(kind)}
        target="_blank"
        rel="noopener"
        className="rounded-xs text-accent-ink underline underline-offset-4"
      >
        {name}
      </a>
      .
    </>
  )
}
