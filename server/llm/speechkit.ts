import * as z from 'zod/mini'
import type { Connection } from './connection.ts'
import { LlmError } from './errors.ts'
import type { RecognizeRequest, Recognizer, Transcript, TranscriptSegment } from './llm.ts'
import { jsonObjects, type Patience, parseJson, poll, readAnswer, sendAgain, usualPatience } from './recognition.ts'
import { streamedJson } from './request.ts'

const containers: Record<string, string> = { 'audio/wav': 'WAV', 'audio/ogg': 'OGG_OPUS', 'audio/mpeg': 'MP3' }

const languageCodes: Record<string, string> = {
  ru: 'ru-RU',
  en: 'en-US',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  it: 'it-IT',
  pl: 'pl-PL',
  kk: 'kk-KZ',
}

/** Yandex SpeechKit, API v3: mono sound, at most two speakers, which it calls channels 0 and 1. */
export function speechKit({ post, get }: Connection, patience: Patience = usualPatience): Recognizer {
  async function start(request: RecognizeRequest, signal: AbortSignal): Promise<string> {
    const { sound } = request
    const body = () => streamedJson(optionsOf(request), 'content', sound)
    const text = await sendAgain(
      (both) => post('/recognizeFileAsync', { body, signal: both }),
      request,
      signal,
      patience,
    )
    const operation = Operation.safeParse(parseJson(text))
    if (!operation.success) throw new LlmError('down', { reason: 'unknown-answer' })
    return operation.data.id
  }

  return {
    maxSeconds: 4 * 3600,
    maxBytes: 1024 ** 3,
    languages: Object.keys(languageCodes),
    mimes: Object.keys(containers),
    start,
    result: (operation, signal) =>
      poll(
        async (both) => {
          const path = `/getRecognition?operation_id=${encodeURIComponent(operation.id)}`
          try {
            return readRecognition(await readAnswer(get(path, both), both))
          } catch (error) {
            // The result of an operation that is not done yet is not found.
            if (error instanceof LlmError && error.failure.status === 404) return 'running'
            throw error
          }
        },
        operation,
        signal,
        patience,
      ),
  }
}

const Operation = z.object({ id: z.string().check(z.minLength(1)) })

function optionsOf({ model, mime, language, speakers }: RecognizeRequest): object {
  const code = languageCodes[language ?? 'ru']
  return {
    recognitionModel: {
      model,
      audioFormat: { containerAudio: { containerAudioType: containers[mime] ?? 'OGG_OPUS' } },
      textNormalization: { textNormalization: 'TEXT_NORMALIZATION_ENABLED', literatureText: true },
      ...(language === null ? {} : { languageRestriction: { restrictionType: 'WHITELIST', languageCode: [code] } }),
      audioProcessingType: 'FULL_DATA',
    },
    ...(speakers ? { speakerLabeling: { speakerLabeling: 'SPEAKER_LABELING_ENABLED' } } : {}),
  }
}

const ms = z.coerce.number()
const index = z.optional(z.nullable(z.coerce.number()))
const alternatives = z.array(
  z.object({
    text: z.optional(z.string()),
    startTimeMs: z.optional(ms),
    endTimeMs: z.optional(ms),
    words: z.optional(z.array(z.object({ startTimeMs: ms, endTimeMs: ms }))),
  }),
)
/** Numbers of 64 bits come as strings. */
const Event = z.object({
  channelTag: z.optional(z.nullable(z.coerce.string())),
  audioCursors: z.optional(z.nullable(z.object({ finalIndex: index }))),
  final: z.optional(z.nullable(z.object({ alternatives }))),
  finalRefinement: z.optional(
    z.nullable(z.object({ finalIndex: index, normalizedText: z.optional(z.nullable(z.object({ alternatives }))) })),
  ),
})
const Wrapped = z.object({ result: z.unknown() })

/** Each phrase comes as `final`, and again as `finalRefinement` with punctuation; the second has no times. */
function readRecognition(text: string): Transcript {
  const phrases = new Map<string, TranscriptSegment>()
  let count = 0
  for (const value of jsonObjects(text)) {
    const wrapped = Wrapped.safeParse(value)
    const parsed = Event.safeParse(wrapped.success && wrapped.data.result ? wrapped.data.result : value)
    if (!parsed.success) throw new LlmError('down', { reason: 'unknown-answer' })
    const { channelTag, audioCursors, final, finalRefinement } = parsed.data
    const [best] = final?.alternatives ?? []
    if (best) {
      phrases.set(`${channelTag}:${audioCursors?.finalIndex ?? count}`, {
        start: (best.words?.[0]?.startTimeMs ?? best.startTimeMs ?? 0) / 1000,
        end: (best.words?.at(-1)?.endTimeMs ?? best.endTimeMs ?? 0) / 1000,
        text: (best.text ?? '').trim(),
        speaker: channelTag ?? null,
      })
      count += 1
    }
    const phrase = phrases.get(`${channelTag}:${finalRefinement?.finalIndex ?? 0}`)
    const refined = finalRefinement?.normalizedText?.alternatives[0]?.text?.trim()
    if (phrase && finalRefinement && refined) phrase.text = refined
  }
  const segments = [...phrases.values()].filter((phrase) => phrase.text !== '').sort((a, b) => a.start - b.start)
  return {
    text: segments.map((segment) => segment.text).join(' '),
    segments: segments.length > 0 ? segments : null,
    seconds: null,
  }
}
