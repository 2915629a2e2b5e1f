import type { Verified } from './verify.ts'

const fieldErrors = {
  gap: 'перед ней не хватает записей',
  link: 'она не продолжает предыдущую',
  content: 'её содержание изменили',
}

/** What the command line says of the chain. */
export function reportOf({ count, head, broken, isStoredHashFound }: Verified): { text: string; ok: boolean } {
  const lines = broken
    ? [`✗ Цепочка порвана на записи № ${broken.id}: ${fieldErrors[broken.reason]}.`, `Целых записей до неё: ${count}`]
    : [`Цепочка цела. Записей: ${count}`]
  if (!isStoredHashFound) lines.unshift('✗ Сохранённого хеша в цепочке нет: журнал переписан или урезан.')
  lines.push(`Последний хеш: ${head ?? 'нет'}`)
  return { text: `${lines.join('\n')}\n`, ok: !broken && isStoredHashFound }
}
