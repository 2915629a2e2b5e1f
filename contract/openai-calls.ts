import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ChatBody, Completion, EmbeddingsBody, EmbeddingsList, ImagesBody, ProgramModel, Symbols } from './openai.ts'
import { ResponseObject, ResponsesBody } from './openai-responses.ts'

export const openAiApi = {
  models: endpoint('GET', '/v1/models', {
    who: 'key',
    summary: 'Модели, доступные ключу, с ценами в символах',
    returns: z.object({ object: z.literal('list'), data: z.array(ProgramModel) }),
  }),
  model: endpoint('GET', '/v1/models/:id', {
    who: 'key',
    summary: 'Одна модель',
    returns: ProgramModel,
  }),
  chat: endpoint('POST', '/v1/chat/completions', {
    who: 'key',
    summary: 'Ответ модели на сообщения: целиком или потоком. Тексты не хранятся',
    body: ChatBody,
    answers: 'stream',
    returns: Completion,
  }),
  responses: endpoint('POST', '/v1/responses', {
    who: 'key',
    summary:
      'То же в форме Responses API: целиком или событиями, без previous_response_id. Без store: false части ответа сутки доступны по id',
    body: ResponsesBody,
    answers: 'stream',
    returns: ResponseObject,
  }),
  embeddings: endpoint('POST', '/v1/embeddings', {
    who: 'key',
    summary: 'Векторы текстов: числами или base64. Тексты не хранятся',
    body: EmbeddingsBody,
    returns: EmbeddingsList,
  }),
  images: endpoint('POST', '/v1/images/generations', {
    who: 'key',
    summary: 'Нарисовать картинки; они только в ответе и не хранятся',
    body: ImagesBody,
    returns: z.object({
      created: z.int(),
      data: z.array(z.object({ b64_json: z.string() })),
      usage: z.object({ symbols: Symbols }),
    }),
  }),
  transcriptions: endpoint('POST', '/v1/audio/transcriptions', {
    who: 'key',
    summary: 'Расшифровать запись до 25 МБ: поля file, model, language, response_format. Запись не хранится',
    takes: 'form',
    returns: z.object({ text: z.string(), usage: z.object({ seconds: z.number(), symbols: Symbols }) }),
  }),
}
