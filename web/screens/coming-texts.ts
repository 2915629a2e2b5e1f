import {
  AudioLines,
  Bot,
  ChartColumn,
  Cpu,
  Image,
  Layers,
  type LucideIcon,
  MessagesSquare,
  NotebookText,
  Package,
  ReceiptText,
  TicketPercent,
  Users,
} from 'lucide-react'
import type { ScreenName } from '#contract/screens.ts'

interface Coming {
  Icon: LucideIcon
  title: string
  /** What one will do here, in one sentence. */
  text: string
}

export const comingTexts: Partial<Record<ScreenName, Coming>> = {
  prompts: {
    Icon: NotebookText,
    title: 'Промпты',
    text: 'Здесь будут готовые запросы: выбираете, подставляете своё, отправляете.',
  },
  'prompts-add': { Icon: NotebookText, title: 'Новый промпт', text: 'Здесь можно будет сохранить удачный запрос.' },
  'prompts-id': { Icon: NotebookText, title: 'Промпт', text: 'Здесь можно будет изменить сохранённый запрос.' },
  promptcms: { Icon: NotebookText, title: 'Каталог промптов', text: 'Здесь будет таблица всех общих запросов.' },
  images: { Icon: Image, title: 'Изображения', text: 'Здесь вы будете создавать картинки по описанию.' },
  threads: { Icon: MessagesSquare, title: 'Чаты', text: 'Здесь будут все ваши беседы с поиском.' },
  'threads-id': { Icon: MessagesSquare, title: 'Чат', text: 'Здесь будет ваша беседа.' },
  assistants: { Icon: Bot, title: 'Ассистенты', text: 'Здесь будут ваши помощники со своими правилами и файлами.' },
  'assistants-create': {
    Icon: Bot,
    title: 'Новый ассистент',
    text: 'Здесь вы опишете помощника и сразу попробуете его.',
  },
  'assistants-id-edit': { Icon: Bot, title: 'Ассистент', text: 'Здесь можно будет настроить помощника.' },
  transcribe: { Icon: AudioLines, title: 'Расшифровка', text: 'Здесь запись голоса станет текстом с метками времени.' },
  'admin-plans': { Icon: Layers, title: 'Тарифы', text: 'Здесь будут тарифы и их цены.' },
  'admin-plans-add': { Icon: Layers, title: 'Новый тариф', text: 'Здесь можно будет добавить тариф.' },
  'admin-plans-id': { Icon: Layers, title: 'Тариф', text: 'Здесь можно будет изменить тариф.' },
  'admin-models': { Icon: Cpu, title: 'Модели', text: 'Здесь будут модели, их порядок и стоимость.' },
  'admin-models-add': { Icon: Cpu, title: 'Новая модель', text: 'Здесь можно будет добавить модель.' },
  'admin-models-id': { Icon: Cpu, title: 'Модель', text: 'Здесь можно будет изменить модель.' },
  'admin-users': { Icon: Users, title: 'Пользователи', text: 'Здесь будет список людей с поиском и отбором.' },
  'admin-users-id': {
    Icon: Users,
    title: 'Пользователь',
    text: 'Здесь будет всё об одном человеке: баланс, входы, права.',
  },
  'admin-promocodes': { Icon: TicketPercent, title: 'Промокоды', text: 'Здесь будут промокоды и кто их применил.' },
  'admin-promocodes-add': {
    Icon: TicketPercent,
    title: 'Новый промокод',
    text: 'Здесь можно будет выпустить промокод.',
  },
  'admin-promocodes-id': { Icon: TicketPercent, title: 'Промокод', text: 'Здесь можно будет изменить промокод.' },
  'admin-statistic': {
    Icon: ChartColumn,
    title: 'Статистика',
    text: 'Здесь будут графики и цифры за выбранное время.',
  },
  'admin-transactions': { Icon: ReceiptText, title: 'Транзакции', text: 'Здесь будут все платежи и списания.' },
  'admin-tokens-bundles': { Icon: Package, title: 'Пакеты символов', text: 'Здесь будут пакеты символов для покупки.' },
}
