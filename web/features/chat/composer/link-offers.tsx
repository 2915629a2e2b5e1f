import { classNames } from '#web/lib/class-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Check, FileSearch } from '#web/ui/icons.ts'

interface LinkOffersProps {
  all: readonly string[]
  chosen: readonly string[]
  /** The most that they add to the price together. */
  price: number
  onChange: (chosen: string[]) => void
}

/** Pages whose addresses are in the draft: each can be read before the answer. */
export function LinkOffers({ all, chosen, price, onChange }: LinkOffersProps) {
  return (
    <ul
      aria-label="Ссылки в сообщении"
      className="flex flex-wrap gap-2 px-3 pb-1 [grid-area:links] max-sm:px-2 max-sm:pt-2"
    >
      {all.map((link) => {
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
              {isOn ? <Check size={16} className="shrink-0" /> : <FileSearch size={16} className="shrink-0" />}
              <span className="truncate">Прочитать страницу {shortAddress(link)}</span>
              <span className="figures shrink-0">· {priceLabel(price, isOn, chosen.length)}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** Pages share one limit, so the next one adds nothing to it. */
function priceLabel(price: number, isOn: boolean, chosen: number): string {
  const upTo = `до ${formatNumber(price)}`
  return !isOn && chosen > 0 ? `в те же ${formatNumber(price)}` : upTo
}

/** «site.example/page» */
function shortAddress(link: string): string {
  const { hostname, pathname } = new URL(link)
  return hostname.replace(/^www\./, '') + (pathname === '/' ? '' : pathname)
}
