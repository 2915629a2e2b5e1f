import { expectAlert, scrape } from '../lib/alerts.ts'
import type { Answer } from '../lib/answers.ts'
import { isTooLong } from '../lib/limits.ts'
import type { Scenario } from '../lib/scenario.ts'
import { type Stage, untilEnded, untilFlowing } from '../lib/stage.ts'

/** Failures of the provider after which an answer may fail, free of charge. */
const FAILING = ['refuse', 'cut', 'hang', 'comments', 'stall']
/** Slightly less than the Retry-After of the provider, for inaccurate clocks. */
const RETRY_AFTER_MS = 1900
/** A silent model is given up after four seconds; its fallback begins at once. */
const FAKE_BEPAID_SECONDS = 8
/** Longer than the lease of a hold in earlier versions, plus one sweep. */
const THINK_SECONDS = 310

function askEach(stage: Stage): Answer[] {
  return FAILING.flatMap((mode, i) => {
    const people = stage.people.slice(i * 2, i * 2 + 2)
    return people.map((person) =>
      stage.ask(person, { words: 60, mode, modelId: `for-${mode}`, allowed: ['failed'], mayTakeBack: true }),
    )
  })
}

export const provider: Scenario[] = [
  {
    id: '17',
    name: 'поставщик: 500, 429, обрыв, молчание, одни комментарии',
    isShort: true,
    endSeconds: 5,
    run: async (stage) => {
      const [one, other] = stage.people.slice(stage.streams)
      if (!one || !other) return null
      const before = await scrape(stage)
      const whole = stage.askAll({ words: 100 })
      const failing = askEach(stage)
      const busy = stage.ask(one, { words: 20, mode: 'busy-once', modelId: 'for-busy-once' })
      const silent = stage.ask(other, { words: 20, modelId: 'mute' })
      const seconds = await untilEnded([...whole, ...failing, busy, silent], 25)
      await expectAlert(stage, 'ProviderErrors', before)
      const [first, second] = stage.provider.attemptsOf(busy.spec.nonce)
      if (!first || !second || second.at - first.at < RETRY_AFTER_MS)
        stage.fail(`Retry-After не соблюдён: ${second && first ? Math.round(second.at - first.at) : 'нет'} мс`)
      const tries = stage.provider.attemptsOf(silent.spec.nonce)
      const fakeBepaid = tries.find(({ model }) => model === 'cheap')
      if (tries.filter(({ model }) => model === 'mute').length !== 1) stage.fail('молчащую модель спросили не один раз')
      if (!fakeBepaid || isTooLong((fakeBepaid.at - (tries[0]?.at ?? 0)) / 1000, FAKE_BEPAID_SECONDS))
        stage.fail('запасная модель опоздала')
      return seconds
    },
  },
  {
    id: '17b',
    name: 'сломанная модель не выключает другие',
    isShort: true,
    run: async (stage) => {
      // All on one instance, because each instance counts only its own failures.
      const at = stage.at(0).url
      const broken = stage.people
        .slice(0, 6)
        .map((person) => stage.ask(person, { at, words: 20, modelId: 'broken', allowed: ['failed'] }))
      await untilEnded(broken, 20)
      return untilEnded(stage.askAll({ at, words: 20 }), 20)
    },
  },
  {
    id: '17c',
    name: `модель думает ${THINK_SECONDS} секунд`,
    env: { MODEL_FIRST_WORD_SECONDS: '600', MODEL_SILENCE_SECONDS: '600' },
    endSeconds: 60,
    run: async (stage) => {
      const answers = stage.people
        .slice(0, 10)
        .map((person, i) => stage.ask(person, { words: i % 2 ? 50 : 400, mode: `think-${THINK_SECONDS}`, gapMs: 20 }))
      await untilFlowing(stage.askAll({ words: 20 }).slice(10))
      await untilEnded(answers, THINK_SECONDS + 20)
      return null
    },
  },
]
