import { Suspense, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { classNames } from '#web/lib/class-names.ts'
import type { NavItem } from '#web/lib/feature.ts'
import { paths } from '#web/lib/paths.ts'
import { Link } from '#web/ui/link.tsx'

interface NavListProps {
  label: string
  items: NavItem[]
  isCompact: boolean
  /** For a long list; on touch screens as high as any other. */
  isDense?: boolean
}

export function NavList({ label, items, isCompact, isDense = false }: NavListProps) {
  const [path] = useLocation()
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address marks another item
  useEffect(() => reveal(list.current?.querySelector('[aria-current]')), [path])
  return (
    <ul ref={list} aria-label={label} className={classNames('flex flex-col', isDense ? 'gap-px' : 'gap-0.5')}>
      {items.map(({ href, label: text, Icon, otherHref, Badge }) => {
        // An open chat is highlighted in the chat list instead.
        const isInside = path.startsWith(`${href}/`) && (isCompact || href !== paths.threads())
        const isHere = path === href || path === otherHref || isInside
        return (
          <li key={href}>
            <Link
              href={href}
              aria-current={isHere ? 'page' : undefined}
              title={isCompact ? text : undefined}
              className={classNames(
                'flex items-center gap-3 rounded-md px-2.5 text-[15px] transition-colors',
                isDense ? 'h-8 pointer-coarse:h-11' : 'h-10',
                isHere ? 'bg-hover font-medium text-ink' : 'text-muted hover:bg-hover hover:text-ink',
              )}
            >
              <Icon
                size={isDense ? 18 : 20}
                strokeWidth={1.8}
                aria-hidden="true"
                className={classNames('shrink-0', isHere && 'text-accent-ink')}
              />
              <span className={isCompact ? 'sr-only' : 'truncate'}>{text}</span>
              {!isCompact && Badge && (
                <Suspense fallback={null}>
                  <Badge />
                </Suspense>
              )}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

const MARGIN = 16

/** Scrolls the panel, and only the panel: scrollIntoView would move the page as well. */
function reveal(item: Element | null | undefined) {
  const area = item?.closest('[data-panel-area]')
  if (!item || !area) return
  const { top, bottom } = item.getBoundingClientRect()
  const shown = area.getBoundingClientRect()
  if (top < shown.top) area.scrollTop -= shown.top - top + MARGIN
  else if (bottom > shown.bottom - MARGIN) area.scrollTop += bottom - shown.bottom + MARGIN
}
