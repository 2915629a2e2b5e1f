import { AppError } from '#server/lib/errors.ts'

const FITTING =
  'Подойдут PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, FB2, CSV, TXT, MD, HTML и картинки PNG, JPEG, WebP, GIF, HEIC, AVIF, TIFF, BMP.'

const sentences = {
  oldSlides: 'Старые презентации PPT не читаются. Сохраните презентацию как PPTX или PDF и загрузите снова.',
  oldOffice:
    'Файл старого формата Microsoft Office не читается. Сохраните его как DOCX, XLSX, PPTX или PDF и загрузите снова.',
  locked: 'Файл защищён паролем. Снимите защиту и загрузите его снова.',
  djvu: 'Файлы DjVu не читаются. Сохраните документ как PDF и загрузите снова.',
  mobi: 'Книги MOBI и AZW не читаются. Сохраните книгу как EPUB или FB2 и загрузите снова.',
  iwork:
    'Файлы Pages, Numbers и Keynote не читаются. Сохраните документ как PDF, DOCX, XLSX или PPTX и загрузите снова.',
  drawing: 'Чертежи и схемы не читаются. Сохраните чертёж как PDF и загрузите снова.',
  outlook: 'Письма Outlook не читаются. Сохраните письмо как PDF или TXT и загрузите снова.',
  openOffice: 'Файлы OpenDocument такого вида не читаются. Сохраните файл как PDF и загрузите снова.',
  archive: 'Архивы не читаются. Распакуйте архив и загрузите файлы по одному.',
  program: 'Программы загрузить нельзя.',
  vector: 'Картинки SVG не принимаются. Сохраните картинку как PNG и загрузите снова.',
  image: 'Картинки такого вида не читаются. Сохраните картинку как PNG или JPEG и загрузите снова.',
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
  if (mime === 'image/vnd.djvu') return 'djvu'
  if (mime === 'application/x-mobipocket-ebook') return 'mobi'
  if (mime === 'image/vnd.dwg') return 'drawing'
  if (mime.startsWith('audio/') || mime.startsWith('video/')) return 'sound'
  if (mime.startsWith('image/')) return 'image'
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
export const SCAN = 'В файле нет текстового слоя: похоже, это скан.'
export const NO_PICTURE =
  'Эту страницу сервер не может показать картинкой: для неё нужна программа pdftoppm, а её нет. Сохраните страницу картинкой и загрузите отдельно.'
export const LOCKED = 'Файл защищён паролем. Снимите защиту и загрузите его снова.'
export const BOMB = 'Файл распаковывается в слишком большой объём: так устроены вредные архивы. Он не прочитан.'
export const NESTED = 'Внутри документа лежит архив. Уберите его из документа и загрузите файл снова.'
export const OLD_WORD =
  'Файл записан в Word 95 или раньше: так давно, что не читается. Сохраните его как DOCX или PDF и загрузите снова.'
export const OLD_EXCEL =
  'Файл записан в Excel 95 или раньше: так давно, что не читается. Сохраните его как XLSX или PDF и загрузите снова.'
