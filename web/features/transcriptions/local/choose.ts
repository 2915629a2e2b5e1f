import { MAX_RECORDING_BYTES } from '#contract/transcriptions.ts'
import { notify } from '#web/lib/notify.ts'
import { changeRecording, storeRecording } from './recordings.ts'

export const ACCEPT =
  'audio/*,video/mp4,video/webm,video/3gpp,.mp3,.m4a,.wav,.ogg,.oga,.opus,.webm,.flac,.mp4,.amr,.awb,.3gp,.aac,.caf,.mov'
const MAX_AT_ONCE = 5

/** Adds files to transcribe; each upload starts after the user accepts its price. */
export async function chooseFiles(userId: string, files: readonly File[]): Promise<void> {
  const rejections = files.flatMap((file) => rejectionReason(file) ?? [])
  const taken = files.filter((file) => rejectionReason(file) === null)
  if (taken.length > MAX_AT_ONCE) rejections.push(`За один раз можно выбрать не больше ${MAX_AT_ONCE} записей.`)
  if (rejections.length > 0) notify.error({ title: 'Не всё подошло', description: [...new Set(rejections)].join(' ') })
  for (const file of taken.slice(0, MAX_AT_ONCE)) {
    const { id } = await storeRecording({
      userId,
      kind: 'file',
      name: file.name,
      title: null,
      blob: file,
      seconds: null,
    })
    void measureLength(file).then((seconds) => changeRecording(id, { seconds }))
  }
}

export function rejectionReason({ name, size, type }: Pick<File, 'name' | 'size' | 'type'>): string | null {
  if (size === 0) return `Файл «${name}» пустой.`
  if (size > MAX_RECORDING_BYTES) return `Файл «${name}» больше ${MAX_RECORDING_BYTES / 1024 / 1024} МБ.`
  const looksRight =
    /^(audio|video)\//.test(type) ||
    /\.(mp3|m4a|wav|og[ga]|opus|webm|flac|mp4|mpga|mpeg|amr|awb|3g[p2]|aac|caf|rf64|mov)$/i.test(name)
  return looksRight ? null : `Файл «${name}» не похож на запись: нужен звук или видео.`
}

const TIMEOUT_MS = 6000

/** The length in seconds; null if the browser cannot read it. */
function measureLength(file: Blob): Promise<number | null> {
  return new Promise((done) => {
    const audio = document.createElement('audio')
    const url = URL.createObjectURL(file)
    const finish = (seconds: number | null) => {
      clearTimeout(timer)
      audio.removeAttribute('src')
      URL.revokeObjectURL(url)
      done(seconds)
    }
    const timer = setTimeout(() => finish(null), TIMEOUT_MS)
    audio.preload = 'metadata'
    audio.onloadedmetadata = () => finish(Number.isFinite(audio.duration) && audio.duration > 0 ? audio.duration : null)
    audio.onerror = () => finish(null)
    audio.src = url
  })
}
