import { isConditionMet, readAlertRules } from '../../scripts/lib/alert-rules.ts'
import { type Stage, until } from './stage.ts'

const SCRAPE_MS = 5000
const NOTICED_SECONDS = 10

export async function scrape({ instances }: Stage): Promise<string> {
  const texts = instances.map(async ({ url }) => {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(SCRAPE_MS) }).catch(() => null)
    return (await answer?.text().catch(() => '')) ?? ''
  })
  return (await Promise.all(texts)).join('\n')
}

/**
 * Expects the condition of an alert to hold during its fault; the `for` time of the rule is ignored. A rule about an
 * increase is compared with `before`, an earlier scrape.
 */
export async function expectAlert(stage: Stage, name: string, before = ''): Promise<void> {
  const rule = readAlertRules().find(({ alert }) => alert === name)
  if (!rule) return stage.fail(`нет правила ${name}`)
  const isMet = async () => isConditionMet(rule, await scrape(stage), before)
  if (!(await until(NOTICED_SECONDS, isMet))) stage.fail(`тревога ${name} не сработала бы: ${rule.expr}`)
}

export async function expectAlertOver(stage: Stage, name: string, seconds = 40): Promise<void> {
  const rule = readAlertRules().find(({ alert }) => alert === name)
  const isOver = async () => rule !== undefined && !isConditionMet(rule, await scrape(stage))
  if (!(await until(seconds, isOver))) stage.fail(`тревога ${name} не прошла за ${seconds} с`)
}
