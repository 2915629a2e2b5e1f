import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { readThreadsFilter, type ThreadsFilter, writeThreadsFilter } from '#web/features/threads/thread-filter.ts'
import { ThreadTable } from '#web/features/threads/thread-table.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { TextField } from '#web/ui/text-field.tsx'

const PAUSE_MS = 200

const tabs = [
  { id: 'active', label: 'Активные' },
  { id: 'archived', label: 'Архив' },
  { id: 'trash', label: 'Корзина' },
] as const

/** All chats. The tab and the search are in the address. */
export default function ThreadsScreen() {
  const [params, setParams] = useSearchParams()
  const filter = readThreadsFilter(params)
  const { typed, type, setTyped } = useTyped(filter.query, (query) => setParams(withQuery(query), { replace: true }))
  function show(next: ThreadsFilter) {
    setParams(writeThreadsFilter(next), { replace: true })
    setTyped(next.query)
  }
  return (
    <div className="mx-auto flex w-full max-w-[760px] flex-1 flex-col gap-5 px-4 py-6 frame:py-10">
      <h1 className="text-2xl font-semibold">Чаты</h1>
      <search>
        <TextField
          label="Поиск по названиям и сообщениям"
          type="search"
          placeholder="Например, рецепт"
          autoComplete="off"
          maxLength={200}
          value={typed}
          onChange={(event) => type(event.target.value)}
        />
      </search>
      <div>
        <Tabs
          label="Какие чаты показать"
          tabs={tabs}
          value={filter.view}
          onChange={(view) => setParams(writeThreadsFilter({ ...filter, view }), { replace: true })}
        />
        <TabPanel id={filter.view}>
          <ThreadTable filter={filter} onFilter={show} />
        </TabPanel>
      </div>
    </div>
  )
}

const withQuery = (query: string) => (params: URLSearchParams) =>
  writeThreadsFilter({ ...readThreadsFilter(params), query })

/** The text of the search field; the search follows after a short pause. */
function useTyped(query: string, onSettled: (query: string) => void) {
  const [typed, setTyped] = useState(query)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function type(text: string) {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSettled(text), PAUSE_MS)
  }
  return { typed, type, setTyped }
}
