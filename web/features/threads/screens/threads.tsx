import { ThreadTable, threadsParams } from '#web/features/threads/thread-table.tsx'
import { paths } from '#web/lib/paths.ts'
import { useUrlState } from '#web/lib/url-state.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Link } from '#web/ui/link.tsx'
import { pageColumn } from '#web/ui/page-column.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'

const tabs = [
  { id: 'active', label: 'Активные' },
  { id: 'archived', label: 'Архив' },
  { id: 'trash', label: 'Корзина' },
] as const

/** All chats. The tab and the search are in the address. */
export default function ThreadsScreen() {
  const { state: filter, change } = useUrlState(threadsParams)
  return (
    <div className={`${pageColumn} flex flex-col gap-5`}>
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h1 className="text-2xl font-semibold">Чаты</h1>
        <Link href={paths.imports()} className={buttonStyle('ghost', 'md')}>
          Перенести чаты
        </Link>
      </header>
      <SearchField
        label="Поиск по названиям и сообщениям"
        placeholder="Например, рецепт"
        value={filter.query}
        onChange={(query) => change({ query })}
      />
      <div>
        <Tabs label="Какие чаты показать" tabs={tabs} value={filter.view} onChange={(view) => change({ view })} />
        <TabPanel id={filter.view}>
          <ThreadTable filter={filter} onFilter={change} />
        </TabPanel>
      </div>
    </div>
  )
}
