import type { HelpSearchResult } from '#contract/help.ts'
import { plural } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Link } from '#web/ui/link.tsx'

export function FoundList({ found }: { found: HelpSearchResult[] }) {
  const ownersPages = found.filter(({ forAdmins }) => forAdmins)
  return (
    <>
      <p role="status" className="text-muted">
        {found.length === 0
          ? 'Ничего не нашлось. Попробуйте другое слово или посмотрите разделы ниже.'
          : `${plural(found.length, 'Нашлась', 'Нашлись', 'Нашлось')} ${found.length} ${plural(found.length, 'страница', 'страницы', 'страниц')}`}
      </p>
      <FoundPages found={found.filter(({ forAdmins }) => !forAdmins)} />
      {ownersPages.length > 0 && (
        <>
          <h2 className="mt-4 text-lg font-semibold">Владельцу установки</h2>
          <FoundPages found={ownersPages} />
        </>
      )}
    </>
  )
}

function FoundPages({ found }: { found: HelpSearchResult[] }) {
  return (
    <ul className="flex flex-col">
      {found.map((page) => (
        <FoundPage key={page.slug} page={page} />
      ))}
    </ul>
  )
}

function FoundPage({ page: { slug, title, heading, fragment } }: { page: HelpSearchResult }) {
  const address = paths.help(slug)
  return (
    <li className="border-b last:border-0">
      <Link
        href={heading ? `${address}#${heading.id}` : address}
        className="-mx-3 block rounded-md px-3 py-3 transition-colors hover:bg-hover"
      >
        <span className="font-medium text-accent-ink">{title}</span>
        {heading && <span className="text-muted"> · {heading.text}</span>}
        <span className="mt-0.5 block text-pretty text-[15px] text-muted wrap-anywhere">
          {fragment.map(({ text, hit }, i) =>
            hit ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no ids
              <mark key={i} className="bg-transparent font-semibold text-ink">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </span>
      </Link>
    </li>
  )
}
