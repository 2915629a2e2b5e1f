import { accountApi } from './account.ts'
import { answersApi } from './answers.ts'
import { apiKeysAdminApi, apiKeysApi } from './api-keys.ts'
import { assistantsApi } from './assistants.ts'
import { auditApi } from './audit.ts'
import { authApi } from './auth.ts'
import { authAdminApi } from './auth-admin.ts'
import { authFactorsApi } from './auth-factors.ts'
import { billingApi } from './billing.ts'
import { buildsApi } from './builds.ts'
import { disputesApi } from './disputes.ts'
import type { Endpoint } from './endpoint.ts'
import { filesApi } from './files.ts'
import { gatewaysApi } from './gateways.ts'
import { healthApi } from './health.ts'
import { helpApi } from './help.ts'
import { imagesApi } from './images.ts'
import { importsApi } from './imports.ts'
import { legalAdminApi, legalApi } from './legal.ts'
import { limitsApi } from './limits.ts'
import { minutesApi } from './minutes.ts'
import { modelsApi } from './models.ts'
import { modelsAdminApi } from './models-admin.ts'
import { openAiApi } from './openai-calls.ts'
import { ordersAdminApi } from './orders-admin.ts'
import { pageApi } from './page.ts'
import { paymentEventsApi } from './payment-events.ts'
import { paymentsApi } from './payments.ts'
import { pendingQuestionApi } from './pending-question.ts'
import { bundlesApi, plansApi } from './plans.ts'
import { projectsApi } from './projects.ts'
import { promocodesApi } from './promocodes.ts'
import { promptsApi } from './prompts.ts'
import { promptsAdminApi } from './prompts-admin.ts'
import { ratingsApi } from './ratings.ts'
import { scansApi } from './scans.ts'
import { statisticsApi } from './statistics.ts'
import { statusApi } from './status.ts'
import { summariesApi } from './summaries.ts'
import { threadsApi } from './threads.ts'
import { transactionsApi } from './transactions.ts'
import { ledgerApi } from './transactions-admin.ts'
import { transcriptionsApi } from './transcriptions.ts'
import { translateApi } from './translate.ts'
import { usersApi } from './users.ts'
import { usersAdminApi } from './users-admin.ts'
import { webSearchApi } from './web-search.ts'

/** All calls, by section of the API page. */
export const api: Record<string, Record<string, Endpoint>> = {
  Вход: authApi,
  'Учётная запись': accountApi,
  'Вход в два шага': authFactorsApi,
  'Вход: администратору': authAdminApi,
  'Вопрос со страницы входа': pendingQuestionApi,
  Пользователи: usersApi,
  'Пользователи: администратору': usersAdminApi,
  Модели: modelsApi,
  'Модели: администратору': modelsAdminApi,
  Чаты: threadsApi,
  'Перенос чатов': importsApi,
  Ответы: answersApi,
  'Поиск в интернете': webSearchApi,
  'Сжатие чатов': summariesApi,
  Оценки: ratingsApi,
  Ассистенты: assistantsApi,
  Проекты: projectsApi,
  Файлы: filesApi,
  Сканы: scansApi,
  Изображения: imagesApi,
  Расшифровки: transcriptionsApi,
  'Документы по записям': minutesApi,
  'Вопрос без чата': translateApi,
  'Ключи API': apiKeysApi,
  'Ключи API: администратору': apiKeysAdminApi,
  Баланс: billingApi,
  Операции: transactionsApi,
  'Операции: администратору': ledgerApi,
  'Оспоренные списания': disputesApi,
  Тарифы: plansApi,
  Пакеты: bundlesApi,
  Оплата: paymentsApi,
  'Платёжные системы': gatewaysApi,
  'Заказы: администратору': ordersAdminApi,
  'События оплаты': paymentEventsApi,
  Промокоды: promocodesApi,
  Промпты: promptsApi,
  'Каталог промптов': promptsAdminApi,
  Статистика: statisticsApi,
  Состояние: statusApi,
  Журнал: auditApi,
  Ограничения: limitsApi,
  'Документы и согласия': legalApi,
  'Документы: администратору': legalAdminApi,
  Помощь: helpApi,
  Страница: pageApi,
  Сборки: buildsApi,
  Здоровье: healthApi,
}

/** Calls for programs with API keys, whose answers and errors have the form of OpenAI's API. */
export const programApi: Record<string, Record<string, Endpoint>> = {
  'Для программ': openAiApi,
}
