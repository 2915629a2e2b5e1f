import type { HelpHeading } from '#contract/help.ts'
import { classNames } from '#web/lib/class-names.ts'

/** Beside the text, where there is room for it. */
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
