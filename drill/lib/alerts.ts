import { isConditionMet, readAlertRules } from '../../scripts/lib/alert-rules.ts'
import { type Stage, until } from './stage.ts'

const SCRAPE_MS = 5000
const NOTICED_SECONDS = 10

/** What Prometheus would read from all instances now. */
export async function scrape({ instances }: Stage): Promise<string> {
  const texts = instances.map(async ({ url }) => {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(SCRAPE_MS) }).catch(() => null)
    return (await answer?.text().catch(() => '')) ?? ''
  })
  return (await Promise.all(texts)).join('\n')
}

/**
 * The condition of an alert holds while its fault lasts, without the time that the rule waits. A rule about an increase
 * counts from an earlier scrape.
 */
export async function expectAlert(stage: Stage, name: string, before = ''): Promise<void> {
  const rule = readAlertRules().find(({ alert }) => alert === name)
  if (!rule) return stage.fail(`нет правила ${name}`)
  const isMet = async () => isConditionMet(rule, await scrape(stage), before)
  if (!(await until(NOTICED_SECONDS, isMet))) stage.fail(`тревога ${name} не сработала бы: ${rule.expr}`)
}

/** After the fault the condition must no longer hold. */
export async function expectAlertOver(stage: Stage, name: string, seconds = 40): Promise<void> {
  const rule = readAlertRules().find(({ alert }) => alert === name)
  const isOver = async () => rule !== undefined && !isConditionMet(rule, await scrape(stage))
  if (!(await until(seconds, isOver))) stage.fail(`тревога ${name} не прошла за ${seconds} с`)
}
