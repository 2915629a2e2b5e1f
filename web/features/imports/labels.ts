import { type ImportFound, type ImportItem, type ImportResult, sourceNames } from '#contract/imports.ts'
import { formatDate, formatNumber, plural } from '#web/lib/format.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'

const count = (n: number, one: string, few: string, many: string) => `${formatNumber(n)} ${plural(n, one, few, many)}`

export const chatsLabel = (n: number) => count(n, 'чат', 'чата', 'чатов')
export const messagesLabel = (n: number) => count(n, 'сообщение', 'сообщения', 'сообщений')
const picturesLabel = (n: number) => count(n, 'картинка', 'картинки', 'картинок')
const filesLabel = (n: number) => count(n, 'файл', 'файла', 'файлов')
const soundsLabel = (n: number) => count(n, 'запись голоса', 'записи голоса', 'записей голоса')
const projectsLabel = (n: number) => count(n, 'проект', 'проекта', 'проектов')

export const sourcesLabel = ({ sources }: ImportFound) => sources.map((source) => sourceNames[source]).join(', ')

export function foundFacts(found: ImportFound): { name: string; value: string }[] {
  const { chats, messages, pictures, projects, bytes, from, to } = found
  return [
    { name: 'Откуда', value: sourcesLabel(found) || 'Claude' },
    { name: 'Чаты', value: formatNumber(chats) },
    { name: 'Сообщения', value: formatNumber(messages) },
    ...(pictures > 0 ? [{ name: 'Картинки', value: formatNumber(pictures) }] : []),
    ...(projects > 0 ? [{ name: 'Проекты', value: formatNumber(projects) }] : []),
    { name: 'Тексты', value: formatBytes(bytes) },
    ...(from && to ? [{ name: 'Даты', value: datesLabel(from, to) }] : []),
  ]
}

const datesLabel = (from: string, to: string) =>
  formatDate(from) === formatDate(to) ? formatDate(from) : `${formatDate(from)} — ${formatDate(to)}`

/** What will not come, one line each. */
export function missingLines(found: ImportFound): string[] {
  const { known, skipped, missingPictures, missingFiles, sounds, knownProjects = 0, unopened } = found
  return [
    ...cutOffLines(found),
    known > 0 && `Уже перенесены раньше, добавятся только новые сообщения: ${chatsLabel(known)}.`,
    knownProjects > 0 && `Уже перенесены раньше, добавятся только новые файлы: ${projectsLabel(knownProjects)}.`,
    skipped > 0 && `Повреждены, пусты или слишком велики: ${chatsLabel(skipped)}.`,
    missingPictures > 0 && `Не вошли в архив: ${picturesLabel(missingPictures)}.`,
    missingFiles > 0 && `Останутся только названия: ${filesLabel(missingFiles)} из сообщений.`,
    sounds > 0 && `Перенесётся только текст: ${soundsLabel(sounds)}.`,
    unopened.length > 0 && `Не открываются вложенные и закрытые паролем файлы: ${unopened.join(', ')}.`,
  ].filter((line) => line !== false)
}

/** Files that end before their last chat does. */
export const cutOffLines = ({ cutOff = [] }: Pick<ImportFound, 'cutOff'>): string[] =>
  cutOff.map(
    ({ name, chats }) =>
      `Файл «${name}» обрывается. Прочитано: ${chatsLabel(chats)}, остального в нём нет. Скачайте архив ещё раз: перенесённое не повторится.`,
  )

export const foundLabel = ({ chats, projects }: ImportFound) =>
  chats === 0 && projects > 0 ? projectsLabel(projects) : chatsLabel(chats)

export function resultLine(
  { added, grown, known, messages, projects, documents = 0 }: ImportResult,
  knownProjects = 0,
): string {
  const parts = [
    projects > 0 && projectsLabel(projects),
    added > 0 && chatsLabel(added),
    grown > 0 && `${chatsLabel(grown)} с новыми сообщениями`,
    documents > 0 && `${filesLabel(documents)} в прежние проекты`,
  ].filter((part) => part !== false)
  if (parts.length === 0)
    return known + knownProjects > 0 ? 'Ничего нового: всё уже перенесено раньше.' : 'Ничего не перенеслось.'
  return `Перенесено: ${parts.join(', ')}${messages > 0 ? `; ${messagesLabel(messages)}` : ''}.`
}

/** What an undo removed, and what it left to its owner. */
export function undoneLine({ removed, kept, projects, keptProjects = 0, documents = 0 }: ImportResult): string {
  const others = [
    projects > keptProjects && projectsLabel(projects - keptProjects),
    documents > 0 && `${filesLabel(documents)} из проектов`,
  ].filter(Boolean)
  const gone = removed > 0 || others.length === 0 ? [chatsLabel(removed), ...others] : others
  const left = [kept > 0 && chatsLabel(kept), keptProjects > 0 && projectsLabel(keptProjects)].filter(Boolean)
  const because = left.length > 0 ? ` Осталось: ${left.join(', ')}. Там есть ваше или из другого архива.` : ''
  return `Удалено: ${gone.join(', ')}.${because}`
}

const reasons: Record<NonNullable<ImportItem['reason']>, string> = {
  broken: 'Запись в архиве повреждена.',
  'too-large': 'Чат больше 16 МБ.',
  empty: 'В чате нет видимых сообщений, или он из корзины.',
  'too-many-messages': 'В чате больше 20 000 сообщений.',
  'no-room': 'Не хватило места. Удалите ненужные чаты, проекты или файлы и повторите перенос.',
  'in-trash': 'Чат лежит в корзине.',
  'cut-off':
    'Файл обрывается: перенесены чаты до этого места. Скачайте архив ещё раз и перенесите его, прежние чаты не повторятся.',
  unopened: 'Архив внутри архива или файл с паролем. Перенесите его отдельно, без пароля.',
}

export function itemReason({ outcome, reason, lostPictures, lostFiles, lostSounds }: ImportItem): string {
  if (reason) return reasons[reason]
  const lost = [
    lostPictures > 0 && picturesLabel(lostPictures),
    lostFiles > 0 && filesLabel(lostFiles),
    lostSounds > 0 && soundsLabel(lostSounds),
  ].filter((part) => part !== false)
  if (outcome === 'project') return `Проект перенесён, не поместились: ${filesLabel(lostFiles)}.`
  return `Перенесён без части вложений: ${lost.join(', ')}.`
}
