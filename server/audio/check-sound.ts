import { mp4Tracks } from './mp4.ts'
import { FITTING, refuse, type Sound, withReadAhead } from './sound.ts'

/** Throws for a recording that would be sent for nothing: a video without sound, or one without its index. */
export async function checkSound(sound: Sound, mime: string): Promise<void> {
  if (!/mp4|3gpp/.test(mime)) return
  const tracks = await mp4Tracks(withReadAhead(sound))
  if (tracks === null)
    throw refuse(
      'Запись оборвана: в файле нет оглавления, без которого звук не читается. Сохраните её заново и загрузите снова.',
    )
  if (!tracks.includes('soun')) throw refuse(`В файле нет звуковой дорожки: расшифровывать нечего. ${FITTING}`)
}
