import { traced } from '#server/lib/trace.ts'
import type { EngineAddress } from './engines/ask-engine.ts'
import { braveSearch } from './engines/brave.ts'
import { searxngSearch } from './engines/searxng.ts'
import { tavilySearch } from './engines/tavily.ts'
import { yandexSearch } from './engines/yandex.ts'
import type { Search } from './search.ts'
import type { SearchEngine, SearchSettings } from './search-settings.ts'

const engines: Record<SearchEngine, (address: EngineAddress) => Search> = {
  yandex: yandexSearch,
  searxng: searxngSearch,
  brave: braveSearch,
  tavily: tavilySearch,
}

/** The search engine of the settings. The query is not in the trace: it is what a person asked. */
export function openSearch(settings: SearchSettings & { timeoutMs?: number }): Search {
  const search = engines[settings.engine](settings)
  return (query, signal) =>
    traced(`search ${settings.engine}`, { kind: 'client' }, async (span) => {
      const results = await search(query, signal)
      span?.set({ results: results.length })
      return results
    })
}
