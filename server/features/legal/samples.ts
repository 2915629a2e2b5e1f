import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DocumentKind } from '#contract/legal.ts'
import { contentPath } from '#server/lib/content.ts'
import { splitPage } from '../help/pages.ts'

/** Help pages that double as samples. */
const pages: Partial<Record<DocumentKind, string>> = { offer: 'account/terms.md', privacy: 'account/privacy.md' }

const texts: Partial<Record<DocumentKind, string>> = {
  'personal-data': `> Это образец. До публикации замените его своим текстом.

Даю согласие на обработку моих персональных данных.

**Кому**: *наименование и адрес указываются владельцем*.

**Какие данные**: адрес почты, имя, сведения о входе (время, адрес в сети, браузер), тексты и файлы, которые я отправляю, сведения о платежах без номера карты.

**Для чего**: чтобы создать аккаунт, отвечать на вопросы, вести расчёты и отвечать на обращения.

**Что с ними делают**: собирают, хранят, передают выбранной мной модели для ответа, удаляют. *Получатели и страны указываются владельцем*.

**На какой срок**: до удаления аккаунта или до отзыва согласия. Отозвать согласие можно в профиле, в разделе «Мои согласия».
`,
  requisites: `> Это образец. До публикации замените его своими сведениями.

- **Продавец**: *наименование указывается владельцем*
- **Регистрационный номер (ИНН и ОГРН или УНП)**: *указывается владельцем*
- **Адрес**: *указывается владельцем*
- **Почта и телефон**: *указываются владельцем*
- **Банковские реквизиты**: *указываются владельцем*
`,
}

/** A text to start from. It is never shown to users as a document of the seller. */
export async function readSample(kind: DocumentKind): Promise<string> {
  const page = pages[kind]
  return page ? splitPage(await readFile(join(contentPath('help'), page), 'utf8')).text.trim() : (texts[kind] ?? '')
}

/** What shows that a text is still a sample: its note, and the places left for the seller. */
const sampleTraces = [/это образец/i, /указыва[ею]тся владельцем/i, /владел\p{L}+ установки/iu]

export function isStillSample(text: string): boolean {
  return sampleTraces.some((trace) => trace.test(text))
}
