import type { Stage } from './stage.ts'

/** One thing that falls over. */
export interface Scenario {
  id: string
  name: string
  /** Part of the short form too. */
  isShort?: boolean
  /** Settings of the instances beside those of every scenario. */
  env?: Record<string, string>
  /** How many instances run when it begins, on a copy of the filled database. */
  instances?: number
  /** Seconds that readers have to come to an end after the scenario. */
  endSeconds?: number
  /** The seconds it took to recover; null where that says nothing. A reason when it cannot be tried here. */
  run: (stage: Stage) => Promise<number | null | { skipped: string }>
}
