import { AudioLines, Bot, Image, type LucideIcon, ReceiptText, Users } from 'lucide-react'
import type { ScreenName } from '#contract/screens.ts'

interface Coming {
  Icon: LucideIcon
  title: string
  /** What one will do here, in one sentence. */
  text: string
}

export const comingTexts: Partial<Record<ScreenName, Coming>> = {
  images: { Icon: Image, title: 'Изображения', text: 'Здесь вы будете создавать картинки по описанию.' },
  assistants: { Icon: Bot, title: 'Ассистенты', text: 'Здесь будут ваши помощники со своими правилами и файлами.' },
  'assistants-create': {
    Icon: Bot,
    title: 'Новый ассистент',
    text: 'Здесь вы опишете помощника и сразу попробуете его.',
  },
  'assistants-id-edit': { Icon: Bot, title: 'Ассистент', text: 'Здесь можно будет настроить помощника.' },
  transcribe: { Icon: AudioLines, title: 'Расшифровка', text: 'Здесь запись голоса станет текстом с метками времени.' },
  'admin-users': { Icon: Users, title: 'Пользователи', text: 'Здесь будет список людей с поиском и отбором.' },
  'admin-users-id': {
    Icon: Users,
    title: 'Пользователь',
    text: 'Здесь будет всё об одном человеке: баланс, входы, права.',
  },
  'admin-transactions': { Icon: ReceiptText, title: 'Транзакции', text: 'Здесь будут все платежи и списания.' },
}
