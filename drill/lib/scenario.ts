import type { Stage } from './stage.ts'

export interface Scenario {
  id: string
  name: string
  isShort?: boolean
  /** Settings of the instances, in addition to those of every scenario. */
  env?: Record<string, string>
  /** How many instances run when it begins, on a copy of the filled database. */
  instances?: number
  /** The seconds within which readers must end after the scenario. */
  endSeconds?: number
  /** Resolves to the seconds of recovery, null when there is nothing to measure, or why it cannot run here. */
  run: (stage: Stage) => Promise<number | null | { skipped: string }>
}
