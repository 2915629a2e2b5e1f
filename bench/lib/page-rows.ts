import type { LoadCost } from './page-load.ts'
import type { PageStreamCost } from './page-stream.ts'
import type { ThreadsCost } from './page-threads.ts'
import type { Row } from './table.ts'

const most = (goal: number) => ({ goal: { most: goal } })

export const loadRows = (cost: LoadCost, jsGoal: number): Row[] => [
  { what: 'JavaScript по сети, кБ', ours: cost.js, ...most(jsGoal) },
  { what: 'из него до того, как можно писать, кБ', ours: cost.jsFirst },
  { what: 'CSS, кБ', ours: cost.css, ...most(20) },
  { what: 'шрифты, кБ', ours: cost.fonts },
  { what: 'всего, кБ', ours: cost.all },
  { what: 'запросов', ours: cost.requests, ...most(20) },
  { what: 'главное нарисовано (LCP), мс', ours: cost.lcp, ...most(970) },
  { what: 'страница занята (TBT), мс', ours: cost.blocking, ...most(300) },
  { what: 'CPU страницы, с', ours: cost.work },
  { what: 'вызовов API при перезагрузке', ours: cost.calls, ...most(4) },
]

export function streamRows(ours: PageStreamCost, floor: PageStreamCost): Row[] {
  const both = (what: string, take: (cost: PageStreamCost) => number) => ({
    what,
    ours: take(ours),
    floor: take(floor),
  })
  return [
    { ...both('CPU скриптов, с', (cost) => cost.scriptCpu), ...most(0.6) },
    both('CPU страницы целиком, с', (cost) => cost.allCpu),
    { ...both('самая долгая задача, мс', (cost) => cost.longest), ...most(49) },
    both('из неё работы, мс', (cost) => cost.longestCpu),
    both('задач дольше 50 мс', (cost) => cost.longTasks),
    { ...both('пропущено кадров', (cost) => cost.dropped), ...most(60) },
    { ...both('ответ показан целиком через, с', (cost) => cost.seconds), ...most(10.3) },
  ]
}

export const threadRows = (cost: ThreadsCost): Row[] => [
  { what: 'от щелчка до показа, мс', ours: cost.opening.felt, ...most(300) },
  { what: 'из них работы страницы, мс', ours: cost.opening.worked },
  { what: 'вернуться в неё, мс', ours: cost.switching.felt, ...most(100) },
  { what: 'из них работы страницы, мс', ours: cost.switching.worked },
  { what: 'вкладка без дела, % процессора', ours: cost.idle * 100, ...most(1) },
]
