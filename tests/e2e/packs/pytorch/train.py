"""One step of training, with the module of own.c called back."""

import torch

import own

torch.set_num_threads(2)
square = torch.rand(64, 64, requires_grad=True)
square.register_hook(own.hook)
(square @ square).relu().sum().backward()
model = torch.nn.Linear(8, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.ones(2, 8)).pow(2).mean().backward()
optimizer.step()
own.lose(torch)
