import { braveSearch } from './engines/brave.ts'
import type { EngineAddress } from './engines/call-engine.ts'
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

export const openSearch = (settings: SearchSettings & { timeoutMs?: number }): Search =>
  engines[settings.engine](settings)
