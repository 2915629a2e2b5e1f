import type { ReactNode } from 'react'
import { DETAILED_SEARCH, USUAL_SEARCH } from '#contract/web-search.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { Menu, MenuCheck, MenuChoice, MenuSeparator } from '#web/ui/menu.tsx'
import type { SearchControl } from './use-web-options.ts'

/** Mounted open: the click that opens it also loads it. */
export function SearchMenu({ trigger, search }: { trigger: ReactNode; search: SearchControl }) {
  return (
    <Menu defaultOpen trigger={trigger}>
      <SearchChoice {...search} />
    </Menu>
  )
}

const upToPages = (n: number) => `до ${n} ${plural(n, 'страницы', 'страниц', 'страниц')}`

/** How much to search, with the whole price of each, and whether it stays on. */
export function SearchChoice({ choice, priceOf, onChange }: SearchControl) {
  const noteOf = (search: true | 'detailed') => `до ${formatNumber(priceOf(search))}`
  return (
    <>
      <MenuChoice
        label="Поиск в интернете"
        value={choice.search === 'detailed' ? 'detailed' : choice.search ? 'usual' : 'off'}
        options={[
          { value: 'off', label: 'Без поиска' },
          { value: 'usual', label: `Обычный, ${upToPages(USUAL_SEARCH.pages)}`, note: noteOf(true) },
          { value: 'detailed', label: `Подробный, ${upToPages(DETAILED_SEARCH.pages)}`, note: noteOf('detailed') },
        ]}
        onChange={(next) =>
          onChange({
            search: next === 'detailed' ? 'detailed' : next === 'usual',
            isPinned: choice.isPinned && next !== 'off',
          })
        }
      />
      <MenuSeparator />
      <MenuCheck
        isOn={choice.isPinned}
        onChange={(isPinned) => onChange({ search: choice.search || isPinned, isPinned })}
      >
        Закрепить: не выключать после ответа
      </MenuCheck>
    </>
  )
}
