import { classNames } from '#web/lib/class-names.ts'
import { Check, FileSearch } from '#web/ui/icons.ts'

interface LinkOffersProps {
  links: string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Pages whose addresses are in the draft: each can be read before the answer. */
export function LinkOffers({ links, chosen, onChange }: LinkOffersProps) {
  return (
    <ul aria-label="Ссылки в сообщении" className="flex flex-wrap gap-2 px-3 pb-1">
      {links.map((link) => {
        const isOn = chosen.includes(link)
        return (
          <li key={link} className="min-w-0 max-w-full">
            <button
              type="button"
              aria-pressed={isOn}
              onClick={() => onChange(isOn ? chosen.filter((other) => other !== link) : [...chosen, link])}
              className={classNames(
                'flex min-h-8 max-w-full items-center gap-1.5 rounded-sm border px-2.5 text-sm transition-colors max-frame:min-h-11',
                isOn ? 'border-accent-ink bg-accent-soft text-accent-ink' : 'text-muted hover:bg-hover hover:text-ink',
              )}
            >
              {isOn ? (
                <Check size={16} aria-hidden="true" className="shrink-0" />
              ) : (
                <FileSearch size={16} aria-hidden="true" className="shrink-0" />
              )}
              <span className="truncate">Прочитать страницу {shortAddress(link)}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** «site.example/page» */
function shortAddress(link: string): string {
  const { hostname, pathname } = new URL(link)
  return hostname.replace(/^www\./, '') + (pathname === '/' ? '' : pathname)
}
