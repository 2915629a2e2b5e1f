import { parseArgs } from 'node:util'

interface ReconcileArgs {
  /** Compares with the payment gateway since this day; null for no comparison. */
  since: Date | null
  apply: boolean
  /** Compares rows with stored files instead of checking the ledger. */
  files: boolean
  delete: boolean
}

const USAGE =
  'Примеры: npm run reconcile; npm run reconcile -- --gateway --since 2026-11-01 (и --apply, чтобы исправить найденное); npm run reconcile -- --files (и --delete, чтобы удалить лишнее)'

export function readReconcileArgs(args: string[]): ReconcileArgs {
  const { gateway = false, since, apply = false, files = false, delete: deletes = false } = parse(args)
  if (deletes && !files) throw new Error(`--delete действует вместе с --files. ${USAGE}`)
  if (!gateway) {
    if (since !== undefined || apply) throw new Error(`--since и --apply действуют вместе с --gateway. ${USAGE}`)
    return { since: null, apply, files, delete: deletes }
  }
  const day = new Date(since ?? '')
  if (Number.isNaN(day.getTime())) throw new Error(`После --since нужна дата. ${USAGE}`)
  return { since: day, apply, files, delete: deletes }
}

function parse(args: string[]) {
  const [flag, text] = [{ type: 'boolean' as const }, { type: 'string' as const }]
  try {
    return parseArgs({ args, options: { gateway: flag, since: text, apply: flag, files: flag, delete: flag } }).values
  } catch (cause) {
    throw new Error(`Такого ключа нет. ${USAGE}`, { cause })
  }
}
