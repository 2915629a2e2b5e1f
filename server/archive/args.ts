import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export type ArchiveCommand =
  | { command: 'dump' | 'load'; folder: string }
  | { command: 'backup' }
  | { command: 'restore'; name: string | null; check: boolean; list: boolean; into: string | null }
  | { command: 'move'; url: string; files: boolean }

const USAGE: Record<string, string> = {
  dump: 'npm run dump -- ПАПКА',
  load: 'npm run load -- ПАПКА',
  backup: 'npm run backup',
  restore: 'npm run restore -- [ИМЯ] [--list] [--check [--into postgres://…]]',
  move: 'npm run move -- postgres://пользователь:пароль@сервер/база [--files]',
}

export function readArchiveArgs([command = '', ...rest]: string[]): ArchiveCommand {
  const usage = USAGE[command]
  if (!usage) throw new Error(`Такой команды нет. Есть: ${Object.values(USAGE).join('; ')}`)
  const { values, positionals } = parse(rest, usage)
  const [first, ...more] = positionals
  const wrong = new Error(`Так команду не понять. Нужно: ${usage}`)
  if (more.length > 0) throw wrong
  const flags = Object.keys(values)
  const only = (...allowed: string[]) => {
    if (flags.some((flag) => !allowed.includes(flag))) throw wrong
  }
  switch (command) {
    case 'dump':
    case 'load':
      only()
      if (!first) throw wrong
      return { command, folder: resolve(first) }
    case 'move':
      only('files')
      if (!first || !/^postgres(ql)?:\/\/./.test(first)) throw wrong
      return { command, url: first, files: values.files ?? false }
    case 'restore': {
      only('list', 'check', 'into')
      const { check = false, list = false, into = null } = values
      if (into && !check) throw wrong
      return { command, name: first ?? null, check, list, into }
    }
    default:
      only()
      if (first) throw wrong
      return { command: 'backup' }
  }
}

function parse(args: string[], usage: string) {
  const flag = { type: 'boolean' as const }
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { files: flag, list: flag, check: flag, into: { type: 'string' } },
    })
  } catch (cause) {
    throw new Error(`Такого ключа нет. Нужно: ${usage}`, { cause })
  }
}
