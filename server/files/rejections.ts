import { AppError } from '#server/lib/errors.ts'

const FITTING = 'Подойдут PDF, DOCX, XLSX, CSV, TXT, MD, HTML и картинки PNG, JPEG, WebP, GIF.'

const sentences = {
  oldOffice: 'Старые форматы DOC, XLS и PPT не читаются. Сохраните файл как DOCX, XLSX или PDF и загрузите снова.',
  locked: 'Файл защищён паролем. Снимите защиту и загрузите его снова.',
  slides: 'Презентации пока не читаются. Сохраните её как PDF и загрузите снова.',
  openOffice: 'Файлы OpenDocument не читаются. Сохраните файл как DOCX, XLSX или PDF и загрузите снова.',
  richText: 'Файлы RTF не читаются. Сохраните файл как DOCX или PDF и загрузите снова.',
  archive: 'Архивы не читаются. Распакуйте архив и загрузите файлы по одному.',
  program: 'Программы загрузить нельзя.',
  vector: 'Картинки SVG не принимаются. Сохраните картинку как PNG и загрузите снова.',
  image: 'Картинки такого вида не читаются. Сохраните картинку как PNG, JPEG, WebP или GIF и загрузите снова.',
  sound: 'Звук и видео здесь не читаются. Чтобы получить текст записи, откройте «Расшифровку».',
  brokenImage: 'Картинка повреждена и не читается. Сохраните её заново и загрузите снова.',
  disguised: 'Внутри файла не то, что обещает его имя. Проверьте, открывается ли он, и сохраните заново.',
  unknown: `Файлы такого вида не читаются. ${FITTING}`,
}

type Rejection = keyof typeof sentences

export const rejectFile = (why: Rejection) => new AppError('unsupported_media_type', sentences[why], { field: 'file' })

const archives = /zip|rar|7z|tar|gzip|bzip|xz|lzip|zstd|lz4|lzh|compress|cab|archive|\.rpm|deb$|iso9660|arj|cpio/
const programs = /msdownload|x-elf|mach-binary|msi|wasm|java|x-dex|android|executable|x-ms-shortcut|debian-package/

export function rejectionOf(mime: string): Rejection {
  if (mime.startsWith('audio/') || mime.startsWith('video/')) return 'sound'
  if (mime.startsWith('image/')) return 'image'
  if (mime === 'application/x-cfb') return 'oldOffice'
  if (mime === 'application/rtf') return 'richText'
  if (programs.test(mime)) return 'program'
  return archives.test(mime) ? 'archive' : 'unknown'
}

/** An accepted document cannot be read; the message is shown to its owner. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

export const BROKEN =
  'Файл повреждён или записан необычно: прочитать его не получилось. Откройте его в своей программе, сохраните заново и загрузите снова.'
export const TOO_HEAVY =
  'Файл слишком велик внутри: на его чтение не хватило отведённой памяти. Разделите его на части и загрузите их.'
export const TOO_SLOW = 'Файл читался слишком долго. Разделите его на части и загрузите их.'
export const NO_TEXT = 'В файле нет текста: читать нечего.'
export const SCAN =
  'В файле нет текстового слоя: похоже, это скан. Распознайте его и загрузите снова или приложите страницы картинками.'
export const LOCKED = 'Файл защищён паролем. Снимите защиту и загрузите его снова.'
export const BOMB = 'Файл распаковывается в слишком большой объём: так устроены вредные архивы. Он не прочитан.'
export const NESTED = 'Внутри документа лежит архив. Уберите его из документа и загрузите файл снова.'
