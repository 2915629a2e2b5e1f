const SCRIPT = 'https://mc.yandex.ru/metrika/tag.js'

/** Chats are private: no replay, no click map, no addresses or titles that it collects by itself. */
const options = {
  defer: true,
  webvisor: false,
  clickmap: false,
  trackLinks: false,
  accurateTrackBounce: false,
  sendTitle: false,
}

interface Counter {
  (id: number, method: string, ...rest: unknown[]): void
  /** What was asked before the script came; it reads this queue. */
  a?: unknown[][]
}

interface Goal {
  event: string
  params: Record<string, unknown>
  /** The address without ids. */
  page: string
}

const home = globalThis as { ym?: Counter }
let isLoaded = false

/** Yandex Metrika; its script loads with the first event. If it is blocked, events stay in an unread queue. */
export function reachGoal(counterId: string, { event, params, page }: Goal): void {
  const id = Number(counterId)
  const ym = loadCounter(id)
  ym(id, 'hit', page, { title: '', referer: '' })
  ym(id, 'reachGoal', event, params)
}

function loadCounter(id: number): Counter {
  home.ym ??= createQueue()
  const counter = home.ym
  if (isLoaded) return counter
  isLoaded = true
  const script = document.createElement('script')
  script.src = SCRIPT
  script.async = true
  document.head.append(script)
  counter(id, 'init', options)
  return counter
}

function createQueue(): Counter {
  const queue: Counter = (...args) => {
    queue.a = [...(queue.a ?? []), args]
  }
  return queue
}
