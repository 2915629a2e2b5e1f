import type { HelpEntry } from '#contract/help.ts'
import { paths } from '#web/lib/paths.ts'
import { Link } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function Contents({ entries }: { entries: HelpEntry[] }) {
  return (
    <div className="flex flex-col gap-10">
      {bySection(entries.filter(({ forAdmins }) => !forAdmins)).map((section) => (
        <ContentsSection key={section.title} section={section} />
      ))}
      {bySection(entries.filter(({ forAdmins }) => forAdmins)).map((section) => (
        <div key={section.title} className="border-t pt-8">
          <ContentsSection section={section} note="Этот раздел видят только администраторы." />
        </div>
      ))}
    </div>
  )
}

function ContentsSection({ section: { title, pages }, note }: { section: HelpSection; note?: string }) {
  return (
    <section>
      <h2 className="text-lg font-semibold">{title}</h2>
      {note && <p className="text-sm text-muted">{note}</p>}
      <ul className="mt-3 grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {pages.map((page) => (
          <li key={page.slug}>
            <Link
              href={paths.help(page.slug)}
              className="-mx-3 block h-full rounded-md px-3 py-2 transition-colors hover:bg-hover"
            >
              <span className="font-medium text-accent-ink">{page.title}</span>
              <span className="block text-pretty text-[15px] text-muted">{page.description}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function ContentsSkeleton() {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className="h-14" />
      ))}
    </div>
  )
}

interface HelpSection {
  title: string
  pages: HelpEntry[]
}

/** Groups entries by section, in their given order. */
export function bySection(entries: readonly HelpEntry[]): HelpSection[] {
  const sections = new Map<string, HelpEntry[]>()
  for (const entry of entries) sections.set(entry.section, [...(sections.get(entry.section) ?? []), entry])
  return [...sections].map(([title, pages]) => ({ title, pages }))
}
