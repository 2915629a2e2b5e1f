import { setTimeout as pause } from 'node:timers/promises'
import { soundOf } from '#server/audio/sound.ts'
import { readWav, recordingLoudness, secondsOf } from '#server/audio/wav.ts'
import { withoutDanglingEnd } from '#server/lib/whole-words.ts'
import {
  isSearchWordsRequest,
  readMeetingRequest,
  readNotesRequest,
  readPassageBlock,
  readQueryRequest,
  readSummaryRequest,
  readTitleRequest,
  readTranscript,
  readWebBlock,
} from './demo-prompts.ts'
import type { Depth, Llm, LlmMessage, OnText, Transcribe, TranscribeRequest, TranscriptSegment } from './llm.ts'
import { checkSkills } from './skills.ts'

const WORD_MS = 20
const WORD = /\S+\s*/g
const TITLE_WORDS = 5
const MOST_QUESTION = 200
const MOST_QUOTED = 3
const MOST_QUOTE = 300
const MOST_LISTED = 120
const MOST_QUESTIONS = 20
const demoSkills = { takesImages: true, takesFormat: false }

/** Answers without a provider, so that chats can be tried without a key; says that it is a demo. */
export const demoLlm: Llm = async (request, signal, onText) => {
  checkSkills(demoSkills, request)
  const { messages, thinking, isByAdmin, onThought } = request
  // Built first, because the caller empties `messages` at the first text.
  const answer = demoAnswer(messages, isByAdmin)
  if (onThought) await say(demoThought(messages, thinking), signal, onThought)
  await say(answer, signal, onText)
  return { reason: 'stop', usage: null }
}

async function say(text: string, signal: AbortSignal, onText: OnText): Promise<void> {
  for (const [word] of text.matchAll(WORD)) {
    await pause(WORD_MS, undefined, { signal })
    onText(word)
  }
}

/** Empty unless it is asked to think more than usual. */
export function demoThought(messages: LlmMessage[], thinking: Depth | undefined): string {
  if (thinking !== 'more' && thinking !== 'most') return ''
  const prompt = messages.findLast(({ role }) => role === 'user')?.content.trim() ?? ''
  const question = readPassageBlock(prompt)?.question ?? prompt
  const steps = [
    'Это демонстрация размышлений: на самом деле я не думаю, а показываю, как это выглядит.',
    `Вопрос: «${shortened(question, MOST_QUESTION)}».`,
    'Настоящая модель сначала разбирает, что спросили и чего в вопросе не хватает.',
    'Потом она пробует способы решения и отбрасывает те, что не подходят.',
    'Эти строки не входят в ответ: их не копирует кнопка под ним и не видно по ссылке на чат.',
    ...(thinking === 'most' ? longer : []),
    'Теперь можно отвечать.',
  ]
  return steps.join('\n\n')
}

const longer = [
  'Вы выбрали «Подумать дольше», поэтому демонстрация продолжается.',
  'Когда модель думает дольше, она проверяет свой ход мысли: считает второй раз и ищет, где могла ошибиться.',
  'Это помогает в задачах с расчётами, в коде и там, где условий много. Простому вопросу долгие размышления не нужны.',
  'Пока модель думает, её можно остановить, страницу можно закрыть: размышления, как и ответ, идут на сервере.',
]

const HOW_TO_CONNECT =
  'Чтобы отвечала настоящая модель, задайте на сервере `OPENAI_API_KEY` или `PROVIDER_<ИМЯ>_API_KEY` и `PROVIDER_<ИМЯ>_BASE_URL`, перезапустите его и добавьте модель в разделе [«Модели»](/admin/models). Подробнее — [в помощи](/help/owners/providers). Этот абзац видят только администраторы.'

export function demoAnswer(messages: LlmMessage[], isByAdmin = false): string {
  const toName = readTitleRequest(messages)
  if (toName !== null) return demoTitle(toName)
  const toSearch = readQueryRequest(messages)
  if (toSearch !== null) return shortened(toSearch, MOST_QUESTION)
  if (isSearchWordsRequest(messages)) return ''
  const toSumUp = readSummaryRequest(messages)
  if (toSumUp !== null) return demoSummary(toSumUp)
  const toNote = readNotesRequest(messages)
  if (toNote !== null) return demoNotes(toNote)
  const meeting = readMeetingRequest(messages)
  if (meeting !== null) return demoMeetings[meeting]
  const prompt = messages.findLast(({ role }) => role === 'user')?.content.trim() ?? ''
  const given = readPassageBlock(prompt)
  const found = readWebBlock(given?.question ?? prompt)
  return [
    'Это **демонстрационная модель**: она работает на самом сервере и только показывает, как выглядит ответ.',
    `Вы написали: «${shortened(found?.question ?? given?.question ?? prompt, MOST_QUESTION)}».`,
    ...(given ? [quote('В файлах нашлось:', given.passages)] : []),
    ...(found ? [quote('На страницах нашлось:', found.passages)] : []),
    isByAdmin
      ? HOW_TO_CONNECT
      : 'Настоящие модели подключает владелец сервиса. Как только он это сделает, они появятся в списке моделей.',
  ].join('\n\n')
}

/** Shows the passages that a real model would use. */
function quote(head: string, passages: readonly { n: number; text: string }[]): string {
  const quoted = passages.slice(0, MOST_QUOTED).map(({ n, text }) => `> ${shortened(plain(text), MOST_QUOTE)} [${n}]`)
  return [head, ...quoted].join('\n\n')
}

/** Removes the Markdown of headings and lists. */
const plain = (text: string) => text.replace(/^[^\S\n]{0,20}(?:[#>*+-]{1,20}|\d{1,9}[.)])\s/gm, '')

function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}

function demoTitle(question: string): string {
  const words = question.split(/\s+/).filter(Boolean)
  const title = withoutDanglingEnd(words.slice(0, TITLE_WORDS).join(' '))
  return words.length > TITLE_WORDS ? `${title}…` : title
}

/** Lists what was asked; a real model would say what was answered too. */
function demoSummary(transcript: string): string {
  const questions = readTranscript(transcript).map((line) => `- ${shortened(line, MOST_LISTED)}`)
  return [
    'Это демонстрационное сжатие: модель «Демо» перечисляет вопросы и не понимает их.',
    ...questions.slice(-MOST_QUESTIONS),
  ].join('\n')
}

/** Says of each list what a real model writes there, beside the first line of the recording. */
function demoNotes(lines: { second: number | null; text: string }[]): string {
  const [first] = lines
  const time = first?.second ?? null
  return JSON.stringify({
    summary: `Это демонстрационный протокол: модель «Демо» не понимает сказанного. Запись начинается словами «${shortened(first?.text ?? '', MOST_LISTED)}».`,
    decisions: [{ text: 'Пример: здесь будут решения, о которых договорились', time }],
    tasks: [{ who: '', what: 'Пример: здесь будет поручение', due: '', time }],
    questions: [{ text: 'Пример: здесь будут вопросы, оставшиеся без ответа', time }],
  })
}

const demoMeetings = {
  summary: 'Это демонстрационный протокол: модель «Демо» не понимает сказанного и не пересказывает встречу.',
  letter:
    'Тема: Итоги встречи\n\nЗдравствуйте!\n\nЭто демонстрационное письмо: модель «Демо» не понимает протокола и только показывает, где будет текст.',
}

const LISTEN_MS = 300
const STEP_SECONDS = 15
/** A level below this share of the loudest, or below QUIET, counts as silence. */
const QUIET_SHARE = 0.001
const QUIET = 1e-7
/** Shorter silences join the sound around them. */
const BREATH_SECONDS = 0.6
const STRETCH_SECONDS = 0.2

const ABOUT =
  'Это демонстрационная расшифровка: она слышит, где есть звук, но не слова. Текст появится, когда владелец сервиса подключит модель для расшифровки.'

/** Marks sound and silence without a provider, so that recordings can be tried without a key. */
export const demoTranscribe: Transcribe = async (request, signal) => {
  await pause(LISTEN_MS, undefined, { signal })
  const { segments, seconds } = await segmentsOf(request)
  const text = segments.map((segment) => segment.text).join(' ')
  return { text, segments, seconds }
}

async function segmentsOf({
  audio,
  seconds,
}: TranscribeRequest): Promise<{ segments: TranscriptSegment[]; seconds: number }> {
  const sound = soundOf(audio)
  const wav = await readWav(sound)
  if (!wav) {
    const length = seconds ?? STEP_SECONDS
    return { segments: evenSteps(length), seconds: length }
  }
  const length = secondsOf(wav)
  const stretch = Math.max(1, Math.round(wav.rate * STRETCH_SECONDS))
  const levels = await recordingLoudness(sound, wav, stretch)
  return { segments: soundSegments(levels, stretch / wav.rate, length), seconds: length }
}

function evenSteps(length: number): TranscriptSegment[] {
  return Array.from({ length: Math.max(1, Math.ceil(length / STEP_SECONDS)) }, (_, i) => ({
    start: i * STEP_SECONDS,
    end: Math.min(length, (i + 1) * STEP_SECONDS),
    text: i === 0 ? ABOUT : `Отрывок ${i + 1}.`,
  }))
}

function soundSegments(levels: number[], step: number, length: number): TranscriptSegment[] {
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  const isLoud = levels.map((level) => level > Math.max(QUIET, loudest * QUIET_SHARE))
  const runs: { from: number; to: number; loud: boolean }[] = []
  for (const [i, loud] of isLoud.entries()) {
    const last = runs.at(-1)
    if (last?.loud === loud) last.to = i + 1
    else runs.push({ from: i, to: i + 1, loud })
  }
  const joined: typeof runs = []
  for (const run of runs) {
    const last = joined.at(-1)
    const isBreath = !run.loud && (run.to - run.from) * step < BREATH_SECONDS
    if (last && (last.loud === run.loud || isBreath)) last.to = run.to
    else joined.push(run)
  }
  return joined.map(({ from, to, loud }, i) => {
    const [start, end] = [from * step, Math.min(length, to * step)]
    const label = loud ? 'Здесь есть звук' : 'Тишина'
    return { start, end, text: `${i === 0 ? `${ABOUT} ` : ''}${label}, ${Math.max(1, Math.round(end - start))} с.` }
  })
}
