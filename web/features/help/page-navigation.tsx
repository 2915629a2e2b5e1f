import type { HelpHeading, HelpPage } from '#contract/help.ts'
import { classNames } from '#web/lib/class-names.ts'
import { paths } from '#web/lib/paths.ts'
import { ArrowLeft, ArrowRight } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'

export function PageContents({ headings }: { headings: HelpHeading[] }) {
  if (headings.length < 2) return null
  return (
    <nav data-screen-only aria-labelledby="page-contents" className="sticky top-10 text-[15px]">
      <p id="page-contents" className="pb-2 text-sm text-muted">
        На этой странице
      </p>
      <ul className="flex flex-col border-l">
        {headings.map(({ id, text, level }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={classNames(
                'block py-1 pr-2 leading-snug text-muted transition-colors hover:text-ink',
                level > 2 ? 'pl-6' : 'pl-3',
              )}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const style =
  'flex min-w-0 flex-1 basis-56 items-center gap-3 rounded-md border bg-surface px-4 py-3 transition-colors hover:bg-hover'

export function Neighbours({ page: { previous, next } }: { page: HelpPage }) {
  if (!previous && !next) return null
  return (
    <nav data-screen-only aria-label="Соседние страницы" className="flex flex-wrap gap-3">
      {previous && (
        <Link href={paths.help(previous.slug)} rel="prev" className={style}>
          <ArrowLeft size={18} className="shrink-0 text-muted" />
          <Label name="Назад" title={previous.title} />
        </Link>
      )}
      {next && (
        <Link href={paths.help(next.slug)} rel="next" className={`${style} justify-end text-right`}>
          <Label name="Дальше" title={next.title} />
          <ArrowRight size={18} className="shrink-0 text-muted" />
        </Link>
      )}
    </nav>
  )
}

function Label({ name, title }: { name: string; title: string }) {
  return (
    <span className="min-w-0">
      <span className="block text-sm text-muted">{name}</span>
      <span className="block font-medium">{title}</span>
    </span>
  )
}
